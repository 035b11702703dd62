-- What is in doubt, and when somebody looks again.

ALTER TABLE idem_operation
	ADD COLUMN doubt_since timestamp with time zone,
	ADD COLUMN next_check_at timestamp with time zone,
	ADD COLUMN checks integer DEFAULT 0 NOT NULL,
	ADD COLUMN resends integer DEFAULT 0 NOT NULL,
	ADD COLUMN needs_person boolean DEFAULT false NOT NULL,
	ADD COLUMN send_again_once boolean DEFAULT false NOT NULL,
	ADD COLUMN several_requests boolean DEFAULT false NOT NULL;

CREATE INDEX idem_operation_check ON idem_operation (namespace, next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX idem_operation_person ON idem_operation (namespace, doubt_since) WHERE needs_person;
CREATE INDEX idem_operation_conversation ON idem_operation (namespace, idem_key(conversation_id), fingerprint)
	WHERE conversation_id IS NOT NULL;

CREATE TABLE idem_check (
	id         bigint GENERATED ALWAYS AS IDENTITY,
	namespace  text COLLATE "C" NOT NULL,
	request_id text COLLATE "C" NOT NULL,
	attempt    integer NOT NULL,
	kind       text COLLATE "C" NOT NULL,
	waited_ms  bigint NOT NULL,
	reason     text NOT NULL,
	outcome    text,
	created_at timestamp with time zone NOT NULL,
	CONSTRAINT idem_check_pk PRIMARY KEY (id)
);

CREATE INDEX idem_check_operation ON idem_check (namespace, request_id, id);

-- What was in doubt before has nobody who looks at it, but a person.
UPDATE idem_operation SET needs_person = TRUE, doubt_since = updated_at WHERE status = 'IN_DOUBT' AND doubt_since IS NULL;
