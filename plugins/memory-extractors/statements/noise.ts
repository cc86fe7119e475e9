/** What stands in a talk and states nothing: logs, code, commands, templates, orders to an assistant, memories read out again. */

/** They take a whole line, however many sentences it seems to have. */
const lines =
	/^\W*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*\s+)?\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|CRITICAL)\]?\b[\s:]|^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\b\w*(?:Error|Exception):\s|\bTraceback \(|\b(?:npm|yarn|pip) (?:ERR!|error)|^\s*(?:at \S+ ?\(|File ".*", line \d)/;
const patterns: readonly (readonly [name: string, words: RegExp])[] = [
	["failure", /\bE(?:CONN|NO|ACC|PIPE|TIMED)[A-Z]+\b/],
	[
		"command",
		/^\$?\s*(?:sudo|git|npm|npx|yarn|pnpm|bun|pip3?|docker|kubectl|curl|wget|cd|ls|mkdir|chmod|ssh|make|cargo|brew|apt(?:-get)?|systemctl)\s+[\w./-]+(?!\S*\s+(?:is|are|was|has)\b)/,
	],
	[
		"code",
		/[{};]\s*$|=>|<\/?[a-z]+>|\w+\(\)|^\s*(?:(?:const|let|var)\s+\w+\s*=|(?:def|function|class)\s+\w+\s*[(:{]|import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*$|.*\bfrom\s+["'])|from\s+[\w.]+\s+import\b|#include\b)/,
	],
	["query", /^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE|DROP TABLE)\b/],
	["template", /\{\{.*\}\}|\[(?:insert|your|name|date|company)\b[^\]]*\]|<(?:insert|your) [^>]*>|\blorem ipsum\b/i],
	["order", /\b(?:ignore|disregard|forget|override)\b.{0,30}\b(?:instructions?|prompts?|rules)\b|\bsystem prompt\b|^you are (?:an? |now )/i],
	[
		"read out",
		/^(?:relevant |known |recalled |stored |past |user )*(?:memories|memory|facts|context|profile)\s*:|\b(?:the user (?:has|is|lives|likes|prefers|works)\b.*\.\s*<\/)|\bbased on (?:what i remember|our previous|my memory)/i,
	],
	["fine print", /\b(?:all rights reserved|terms of (?:service|use)|privacy policy|cookies? policy|unsubscribe|view in browser)\b/i],
];

/** A block that hands known memories to an assistant: to remember them again would feed them on themselves. */
export const recallOpens = /<(memor(?:y|ies)|context|supermemory[\w-]*|recalled?[\w-]*|user_?(?:profile|facts|memories))\b[^>]*>/i;
export const recallCloses = /<\/(?:memor(?:y|ies)|context|supermemory[\w-]*|recalled?[\w-]*|user_?(?:profile|facts|memories))>/i;

/** What makes a line noise stands at its beginning or makes it short; no pattern is run over a novel. */
const looksAt = 300;

export function isNoise(sentence: string): boolean {
	if (sentence.length > looksAt) return false;
	return patterns.some(([, words]) => words.test(sentence));
}

export function isLogLine(line: string): boolean {
	return lines.test(line.slice(0, looksAt));
}
