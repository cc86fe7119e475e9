-- The span in which a job was created, so that its trace goes on in whichever process runs it.
ALTER TABLE jobs ADD COLUMN trace TEXT;
