-- How often the process that had a job in hand has ended without settling it.
ALTER TABLE jobs ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_crashed ON jobs (task, crashes) WHERE crashes > 0;
