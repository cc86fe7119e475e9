-- Terms of new texts are gathered in a list of the index, which searches read too, and a server that has put a page of texts moves them to
-- their places at once. One after the other, each rewrites the list of its texts. An older server beside a new one leaves them in the list,
-- until it holds 4 MB or a new server puts a page.
ALTER INDEX word_entries_by_term SET (fastupdate = on);
-- No search chooses texts by these. Counting the commonest of some hundred groups of letters in each of 30,000 texts takes PostgreSQL seconds,
-- whenever a tenth of the texts is new.
ALTER TABLE word_entries ALTER grams SET STATISTICS 0, ALTER spelled SET STATISTICS 0, ALTER counted SET STATISTICS 0, ALTER counted_grams SET STATISTICS 0;
