-- Which known memories those of a document are compared with: a filter as JSON.
ALTER TABLE documents ADD COLUMN neighbour_filter TEXT;
