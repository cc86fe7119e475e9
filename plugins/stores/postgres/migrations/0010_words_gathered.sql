-- Terms of new texts are gathered in a list of the index, which searches read too, and a server that has put a page of texts moves them to
-- their places at once. One after the other, each rewrites the list of its texts. An older server beside a new one leaves them in the list,
-- until it holds 4 MB or a new server puts a page.
ALTER INDEX word_entries_by_term SET (fastupdate = on);
