/** The text tools for plugins, `cairn-memory/words`: words, stems, languages, sentences, pieces, checks of what a model says, and pauses in long work. */

export { isFaithful } from "./language/is-faithful.ts";
export { isInstruction, isTakeover } from "./language/is-instruction.ts";
export { isSupported } from "./language/is-supported.ts";
export { analysisVersion } from "./ranking/words/count-words.ts";
export { gramShare, gramsOf } from "./ranking/words/grams.ts";
export { languageTerm } from "./ranking/words/language-stems.ts";
export { type Language, languages } from "./ranking/words/languages.ts";
export { languagesOf } from "./ranking/words/languages-of.ts";
export { meantMax, nearSpelling } from "./ranking/words/near-spelling.ts";
export { otherTerms, type QueryGram, queryGramsOf, queryTermsOf } from "./ranking/words/query-terms.ts";
export { readWords } from "./ranking/words/read-words.ts";
export { isGramTerm } from "./ranking/words/score-words.ts";
export { type Tolerance, toleranceOf } from "./ranking/words/tolerance.ts";
export { indexWords, isStopWord, normalize, queryWords } from "./ranking/words.ts";
export { giveWay, yieldIfDue } from "./runtime/yielder.ts";
export { blockPieces, joinPieces, type Piece, pieceSplitter, separatorBefore } from "./text/block-pieces.ts";
export { BoundedMap } from "./text/bounded-map.ts";
export { createExtractionWriter, type ExtractionWriter, type WrittenRow } from "./text/extraction-writer.ts";
export { ownCopy } from "./text/own-copy.ts";
export { mergePlaces, packPieces, targetSize } from "./text/pack-pieces.ts";
export { type PackedExtraction, rowText, unpackExtraction } from "./text/packed-extraction.ts";
export { blocksToMarkdown, completeExtraction, type DraftFacts, type ReadableBlock } from "./text/readable.ts";
export { sentenceSpans } from "./text/sentence-spans.ts";
export { splitText } from "./text/split-text.ts";
export { rowLine, tableHeader } from "./text/table-lines.ts";
