-- What the source of a document says of itself: author, day, picture and so on.
ALTER TABLE documents ADD COLUMN about TEXT;
