-- The next job of a task is found without reading those of others. Of imports, a hundred thousand may wait.
DROP INDEX jobs_in_turn;
CREATE INDEX jobs_in_turn ON jobs (task, organisation, not_before) WHERE lease IS NULL;
