-- How often a text has each gram, with four bytes of the gram's number before each count, as `counted` has it for words. A search scores the
-- texts it has found by both and does not read them. Beside the row, because candidates are compared without it. What was put before this
-- migration, or by an older server beside a new one, has none: its text is read instead.
ALTER TABLE word_entries ADD counted_grams BYTEA;
ALTER TABLE word_entries ALTER counted_grams SET STORAGE EXTERNAL;
