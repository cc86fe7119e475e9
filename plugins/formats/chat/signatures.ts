/** Signatures of conversations: messages as JSON, or a log with a speaker before each turn. */

import type { FileSignature } from "cairn-memory";

const roles = "user|human|assistant|ai|bot|chatbot|model|system|tool|agent|customer|client|support|operator|interviewer|interviewee|chatgpt|claude|gemini";

/** Words before a colon that are not speakers. */
const noSpeakers = new Set("note notes warning warn tip todo error info debug trace fatal example http https ftp file q a".split(" "));

/** `[{ role, content }]`, `{ messages: [ … ] }` or one message on each line; keys in any order, and the end may be truncated. */
function isChatJson(start: string): boolean {
	if (!/^(\[\s*\{|\{)/.test(start)) return false;
	// Other data may have a `role` as well: in a list of messages the first object has both role and content.
	const said = new RegExp(`"(role|speaker)"\\s*:\\s*"(${roles})"`, "i").test(start) && /"(content|text|message|parts)"\s*:\s*("|\[|\{|null)/.test(start);
	return said && (start.startsWith("[") || /^\{\s*"(?:[^"\\]|\\.)*"\s*:[\s\S]*?("messages"\s*:\s*\[|\}\s*\n\s*\{)/.test(start) || isOneMessage(start));
}

/** Whether the only line of a file is a message. */
function isOneMessage(start: string): boolean {
	return /^\{\s*"(role|speaker|content|text|message)"\s*:/.test(start) && !start.trim().includes("\n");
}

/** Date and time before the speaker, as messengers export them. */
const stamp = String.raw`(?:\[?(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})?,?[ T]?\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?Z?\]?(?:\s+-)?\s+)?`;
const turn = new RegExp(`^${stamp}(?<speaker>\\p{L}[^\\n:]{0,59}?)\\s*:(?:\\s|$)`, "u");

/** With unknown speakers so many turns are needed; fewer may be the fields of a form. */
const strangersTurnsMin = 4;

function isChatLog(text: string): boolean {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const speakers = lines.map(speakerOf).filter((speaker) => speaker !== null);
	if (speakers.length < 2 || speakerOf(lines[0] ?? "") === null) return false;
	const turns = Map.groupBy(speakers, (speaker) => speaker);
	const isRole = new RegExp(`^(${roles})$`);
	if ([...turns.keys()].filter((speaker) => isRole.test(speaker)).length >= 2) return true;
	// At least two unknown speakers must speak more than once, and turns must be most of the text: fields of a form do not repeat.
	const often = [...turns.values()].filter((said) => said.length >= 2).length;
	return often >= 2 && speakers.length >= strangersTurnsMin && speakers.length >= lines.length / 2 && turns.size <= speakers.length / 2;
}

function speakerOf(line: string): string | null {
	const speaker = turn.exec(line)?.groups?.["speaker"]?.toLowerCase() ?? null;
	return speaker === null || noSpeakers.has(speaker) || speaker.split(/\s+/).length > 4 ? null : speaker;
}

export const chatSignatures: readonly FileSignature[] = [
	{ mediaType: "application/x-chat+json", matchesText: isChatJson, appliesToPasted: true },
	{ mediaType: "text/x-chat", resembles: isChatLog, appliesToPasted: true },
];
