-- No CHECK on status: H2 evaluates CHECK (… IN (…)) in the session that created it, and fails once that is closed.
-- IF NOT EXISTS: H2 commits at each CREATE, which frees Flyway's lock, so two processes can be in here at once.

CREATE TABLE IF NOT EXISTS idem_operation (
	namespace        CHARACTER VARYING NOT NULL,
	request_id       CHARACTER VARYING NOT NULL,
	task_id          CHARACTER VARYING NOT NULL,
	conversation_id  CHARACTER VARYING,
	tool_call_id     CHARACTER VARYING NOT NULL,
	tool             CHARACTER VARYING NOT NULL,
	fingerprint      CHARACTER VARYING NOT NULL,
	dedup_key        CHARACTER VARYING NOT NULL,
	business_key     CHARACTER VARYING,
	business_ref     CHARACTER VARYING,
	status           CHARACTER VARYING NOT NULL,
	version          BIGINT NOT NULL,
	attempt          INTEGER NOT NULL,
	owner            CHARACTER VARYING NOT NULL,
	lease_until      TIMESTAMP(6) WITH TIME ZONE NOT NULL,
	may_have_applied BOOLEAN NOT NULL,
	downstream       CHARACTER VARYING DEFAULT 'OPAQUE' NOT NULL,
	arguments        CHARACTER LARGE OBJECT,
	result           CHARACTER LARGE OBJECT,
	error            CHARACTER LARGE OBJECT,
	created_at       TIMESTAMP(6) WITH TIME ZONE NOT NULL,
	updated_at       TIMESTAMP(6) WITH TIME ZONE NOT NULL,
	CONSTRAINT idem_operation_pk PRIMARY KEY (namespace, request_id),
	CONSTRAINT idem_operation_dedup_key UNIQUE (namespace, task_id, tool, dedup_key),
	CONSTRAINT idem_operation_business_key UNIQUE (namespace, tool, business_key)
);

CREATE INDEX IF NOT EXISTS idem_operation_tool_call ON idem_operation (namespace, task_id, tool_call_id);
CREATE INDEX IF NOT EXISTS idem_operation_lease ON idem_operation (namespace, status, lease_until);

-- Only ever appended to. It outlives an operation that is deleted, so a later one of the same request id adds to it.
CREATE TABLE IF NOT EXISTS idem_transition (
	id          BIGINT GENERATED ALWAYS AS IDENTITY,
	namespace   CHARACTER VARYING NOT NULL,
	request_id  CHARACTER VARYING NOT NULL,
	version     BIGINT NOT NULL,
	from_status CHARACTER VARYING,
	to_status   CHARACTER VARYING NOT NULL,
	trigger     CHARACTER VARYING NOT NULL,
	actor       CHARACTER VARYING NOT NULL,
	attempt     INTEGER NOT NULL,
	evidence    CHARACTER LARGE OBJECT,
	created_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL,
	CONSTRAINT idem_transition_pk PRIMARY KEY (id)
);

CREATE INDEX IF NOT EXISTS idem_transition_operation ON idem_transition (namespace, request_id, id);

CREATE TABLE IF NOT EXISTS idem_discrepancy (
	id         CHARACTER VARYING NOT NULL,
	namespace  CHARACTER VARYING NOT NULL,
	request_id CHARACTER VARYING NOT NULL,
	kind       CHARACTER VARYING NOT NULL,
	state      CHARACTER VARYING NOT NULL,
	evidence   CHARACTER LARGE OBJECT,
	created_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
	CONSTRAINT idem_discrepancy_pk PRIMARY KEY (namespace, id)
);

CREATE INDEX IF NOT EXISTS idem_discrepancy_operation ON idem_discrepancy (namespace, request_id);
