-- What is in doubt, and when somebody looks again. IF NOT EXISTS: see V1.

ALTER TABLE idem_operation ADD COLUMN IF NOT EXISTS doubt_since TIMESTAMP(6) WITH TIME ZONE;
ALTER TABLE idem_operation ADD COLUMN IF NOT EXISTS next_check_at TIMESTAMP(6) WITH TIME ZONE;
ALTER TABLE idem_operation ADD COLUMN IF NOT EXISTS checks INTEGER DEFAULT 0 NOT NULL;
ALTER TABLE idem_operation ADD COLUMN IF NOT EXISTS resends INTEGER DEFAULT 0 NOT NULL;
ALTER TABLE idem_operation ADD COLUMN IF NOT EXISTS needs_person BOOLEAN DEFAULT FALSE NOT NULL;
ALTER TABLE idem_operation ADD COLUMN IF NOT EXISTS send_again_once BOOLEAN DEFAULT FALSE NOT NULL;
ALTER TABLE idem_operation ADD COLUMN IF NOT EXISTS several_requests BOOLEAN DEFAULT FALSE NOT NULL;

CREATE INDEX IF NOT EXISTS idem_operation_check ON idem_operation (namespace, next_check_at);
CREATE INDEX IF NOT EXISTS idem_operation_person ON idem_operation (namespace, needs_person, doubt_since);
CREATE INDEX IF NOT EXISTS idem_operation_conversation ON idem_operation (namespace, conversation_id, tool, fingerprint);

CREATE TABLE IF NOT EXISTS idem_check (
	id         BIGINT GENERATED ALWAYS AS IDENTITY,
	namespace  CHARACTER VARYING NOT NULL,
	request_id CHARACTER VARYING NOT NULL,
	attempt    INTEGER NOT NULL,
	kind       CHARACTER VARYING NOT NULL,
	waited_ms  BIGINT NOT NULL,
	reason     CHARACTER LARGE OBJECT NOT NULL,
	outcome    CHARACTER LARGE OBJECT,
	created_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
	CONSTRAINT idem_check_pk PRIMARY KEY (id)
);

CREATE INDEX IF NOT EXISTS idem_check_operation ON idem_check (namespace, request_id, id);

-- What was in doubt before has nobody who looks at it, but a person.
UPDATE idem_operation SET needs_person = TRUE, doubt_since = updated_at WHERE status = 'IN_DOUBT' AND doubt_since IS NULL;
