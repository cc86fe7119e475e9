/** Signatures of conversations: messages as JSON, or a log with a speaker before each turn. */

import type { FileSignature } from "cairn-memory";

const roles = "user|human|assistant|ai|bot|chatbot|model|system|tool|agent|customer|client|support|operator|interviewer|interviewee|chatgpt|claude|gemini";

/** Words before a colon that do not name a speaker. */
const notSpeakers = new Set("note notes warning warn tip todo error info debug trace fatal example http https ftp file q a".split(" "));

/** Whether it is `[{ role, content }]`, `{ messages: [ … ] }` or one message on each line. Keys may be in any order, and the end may be missing. */
function isChatJson(start: string): boolean {
	if (!/^(\[\s*\{|\{)/.test(start)) return false;
	// Other data may have a `role` as well. In a list of messages the first object has both a role and content.
	const hasRoleAndContent =
		new RegExp(`"(role|speaker)"\\s*:\\s*"(${roles})"`, "i").test(start) && /"(content|text|message|parts)"\s*:\s*("|\[|\{|null)/.test(start);
	return (
		hasRoleAndContent && (start.startsWith("[") || /^\{\s*"(?:[^"\\]|\\.)*"\s*:[\s\S]*?("messages"\s*:\s*\[|\}\s*\n\s*\{)/.test(start) || isOneMessage(start))
	);
}

/** Whether the only line of a file is a message. */
function isOneMessage(start: string): boolean {
	return /^\{\s*"(role|speaker|content|text|message)"\s*:/.test(start) && !start.trim().includes("\n");
}

/** The date and time before the speaker, as messengers export them. */
const timestamp = String.raw`(?:\[?(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4})?,?[ T]?\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?Z?\]?(?:\s+-)?\s+)?`;
const turnPattern = new RegExp(`^${timestamp}(?<speaker>\\p{L}[^\\n:]{0,59}?)\\s*:(?:\\s|$)`, "u");

/** With unknown speakers at least this many turns are needed. Fewer may be the fields of a form. */
const unknownSpeakersTurnsMin = 4;

function isChatLog(text: string): boolean {
	const lines = text.split("\n").filter((line) => line.trim() !== "");
	const speakers = lines.map(speakerOf).filter((speaker) => speaker !== null);
	if (speakers.length < 2 || speakerOf(lines[0] ?? "") === null) return false;
	const turns = Map.groupBy(speakers, (speaker) => speaker);
	const isRole = new RegExp(`^(${roles})$`);
	if ([...turns.keys()].filter((speaker) => isRole.test(speaker)).length >= 2) return true;
	// At least two unknown speakers must have several turns, and turns must be most of the text. The fields of a form do not repeat.
	const repeatedSpeakers = [...turns.values()].filter((theirs) => theirs.length >= 2).length;
	return repeatedSpeakers >= 2 && speakers.length >= unknownSpeakersTurnsMin && speakers.length >= lines.length / 2 && turns.size <= speakers.length / 2;
}

function speakerOf(line: string): string | null {
	const speaker = turnPattern.exec(line)?.groups?.["speaker"]?.toLowerCase() ?? null;
	return speaker === null || notSpeakers.has(speaker) || speaker.split(/\s+/).length > 4 ? null : speaker;
}

export const chatSignatures: readonly FileSignature[] = [
	{ mediaType: "application/x-chat+json", matchesText: isChatJson, appliesToPasted: true },
	{ mediaType: "text/x-chat", resembles: isChatLog, appliesToPasted: true },
];
