-- A sign that people see beside the name of a container.
ALTER TABLE containers ADD COLUMN emoji TEXT;
