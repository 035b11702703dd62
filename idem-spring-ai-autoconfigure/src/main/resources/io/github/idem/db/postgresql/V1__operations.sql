-- What goes into an index for a value of any length: the value itself as long as it is short, else its beginning and
-- its SHA-256, which together are longer than any value that stands for itself. Index rows end at 2704 bytes.
CREATE FUNCTION idem_key(value text) RETURNS text
	LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
	SELECT CASE WHEN octet_length($1) <= 128 THEN $1
		ELSE left($1, 64) || ':' || encode(sha256(decode(replace($1, chr(92), chr(92) || chr(92)), 'escape')), 'hex') END
$$;

CREATE TABLE idem_operation (
	namespace        text COLLATE "C" NOT NULL,
	request_id       text COLLATE "C" NOT NULL,
	task_id          text COLLATE "C" NOT NULL,
	conversation_id  text COLLATE "C",
	tool_call_id     text COLLATE "C" NOT NULL,
	tool             text COLLATE "C" NOT NULL,
	fingerprint      text COLLATE "C" NOT NULL,
	dedup_key        text COLLATE "C" NOT NULL,
	business_key     text COLLATE "C",
	business_ref     text COLLATE "C",
	status           text COLLATE "C" NOT NULL
		CHECK (status IN ('IN_PROGRESS', 'SUCCEEDED', 'FAILED', 'IN_DOUBT', 'COMPENSATING', 'COMPENSATED')),
	version          bigint NOT NULL,
	attempt          integer NOT NULL,
	owner            text COLLATE "C" NOT NULL,
	lease_until      timestamp with time zone NOT NULL,
	may_have_applied boolean NOT NULL,
	downstream       text COLLATE "C" DEFAULT 'OPAQUE' NOT NULL,
	arguments        text,
	result           text,
	error            text,
	created_at       timestamp with time zone NOT NULL,
	updated_at       timestamp with time zone NOT NULL,
	CONSTRAINT idem_operation_pk PRIMARY KEY (namespace, request_id)
);

CREATE UNIQUE INDEX idem_operation_dedup_key ON idem_operation (namespace, idem_key(task_id), idem_key(tool), dedup_key);
CREATE UNIQUE INDEX idem_operation_business_key ON idem_operation (namespace, idem_key(tool), business_key)
	WHERE business_key IS NOT NULL;
CREATE INDEX idem_operation_tool_call ON idem_operation (namespace, idem_key(task_id), idem_key(tool_call_id));
CREATE INDEX idem_operation_lease ON idem_operation (namespace, lease_until) WHERE status = 'IN_PROGRESS';

-- Only ever appended to. It outlives an operation that is deleted, so a later one of the same request id adds to it.
CREATE TABLE idem_transition (
	id          bigint GENERATED ALWAYS AS IDENTITY,
	namespace   text COLLATE "C" NOT NULL,
	request_id  text COLLATE "C" NOT NULL,
	version     bigint NOT NULL,
	from_status text COLLATE "C",
	to_status   text COLLATE "C" NOT NULL,
	trigger     text COLLATE "C" NOT NULL,
	actor       text COLLATE "C" NOT NULL,
	attempt     integer NOT NULL,
	evidence    text,
	created_at  timestamp with time zone NOT NULL,
	CONSTRAINT idem_transition_pk PRIMARY KEY (id)
);

CREATE INDEX idem_transition_operation ON idem_transition (namespace, request_id, id);

CREATE TABLE idem_discrepancy (
	id         text COLLATE "C" NOT NULL,
	namespace  text COLLATE "C" NOT NULL,
	request_id text COLLATE "C" NOT NULL,
	kind       text COLLATE "C" NOT NULL,
	state      text COLLATE "C" NOT NULL,
	evidence   text,
	created_at timestamp with time zone NOT NULL,
	CONSTRAINT idem_discrepancy_pk PRIMARY KEY (namespace, id)
);

CREATE INDEX idem_discrepancy_operation ON idem_discrepancy (namespace, request_id);
