-- Written by hand: Drizzle has no words for virtual tables. The words come ready-made from `indexWords`, parted by
-- spaces. The ascii tokenizer parts at spaces and takes every character beyond ASCII as it is, so it changes nothing,
-- while unicode61 would drop what its older tables do not know: Thai signs, new Han characters, combining marks.
CREATE VIRTUAL TABLE chunk_words USING fts5(words, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE VIRTUAL TABLE memory_words USING fts5(words, content = '', contentless_delete = 1, tokenize = 'ascii');

-- How many texts hold a word.
CREATE VIRTUAL TABLE chunk_word_counts USING fts5vocab(chunk_words, 'row');
CREATE VIRTUAL TABLE memory_word_counts USING fts5vocab(memory_words, 'row');
