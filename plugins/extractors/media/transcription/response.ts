/** Converts the response of a transcription service to cues: from its segments, otherwise from its words, otherwise only the text. */

import { z } from "zod";
import { canonicalLanguage } from "../../../formats/media/canonical-language.ts";
import type { Cue } from "../../../formats/media/cue.ts";

export interface Transcript {
	readonly cues: readonly Cue[];
	/** The whole text. If the service returns no times, `cues` is empty. */
	readonly text: string;
	readonly language: string | null;
}

const time = z.number().nonnegative().nullish();
const responseSchema = z
	.object({
		text: z.string().nullish(),
		language: z.string().nullish(),
		segments: z.array(z.object({ start: time, end: time, text: z.string(), speaker: z.string().nullish() })).nullish(),
		words: z.array(z.object({ start: time, end: time, word: z.string(), speaker: z.string().nullish() })).nullish(),
	})
	.refine(({ text, segments, words }) => text != null || segments != null || words != null, { error: "it has neither text nor segments nor words" });

type TranscriptionResponse = z.infer<typeof responseSchema>;
type Word = NonNullable<TranscriptionResponse["words"]>[number];

/** A cue made of single words ends with a sentence, at a pause of this length, or after the characters of two lines on a screen. */
const pauseSecondsMin = 1;
const cueCharactersMax = 120;

/** @returns the transcript, or what is wrong with the response */
export function readResponse(value: unknown): Transcript | { readonly problem: string } {
	const checked = responseSchema.safeParse(value);
	if (!checked.success) {
		const [issue] = checked.error.issues;
		return { problem: `${issue?.path.join(".") || "it"}: ${issue?.message ?? "is not valid"}` };
	}
	const { text, language, segments, words } = checked.data;
	const cues = segments?.length ? segments.flatMap(cueOfSegment) : cuesOfWords(words ?? []);
	return { cues, text: text?.trim() || cues.map((cue) => cue.text).join(" "), language: canonicalLanguage(language) };
}

function cueOfSegment({ start, end, text, speaker }: NonNullable<TranscriptionResponse["segments"]>[number]): readonly Cue[] {
	const trimmed = text.replace(/\s+/g, " ").trim();
	return trimmed === "" ? [] : [{ begin: start ?? null, end: endTime(start, end), speaker: cleanSpeaker(speaker), text: trimmed }];
}

function cuesOfWords(words: readonly Word[]): readonly Cue[] {
	// Some services include the space before a word in the word.
	const separator = words.some(({ word }) => /^\s/.test(word)) ? "" : " ";
	const cues: Cue[] = [];
	let group: Word[] = [];
	let length = 0;
	const endCue = () => {
		const text = group
			.map(({ word }) => word)
			.join(separator)
			.replace(/\s+/g, " ")
			.trim();
		const [first, last] = [group[0], group.at(-1)];
		if (text !== "") cues.push({ begin: first?.start ?? null, end: endTime(first?.start, last?.end), speaker: cleanSpeaker(first?.speaker), text });
		group = [];
		length = 0;
	};
	for (const word of words) {
		const last = group.at(-1);
		const pause = (word.start ?? 0) - (last?.end ?? word.start ?? 0);
		const isSentenceEnd = /[.!?…。!?]["'”’)]*$/.test(last?.word.trim() ?? "");
		if (last !== undefined && (isSentenceEnd || pause >= pauseSecondsMin || length > cueCharactersMax || last.speaker !== word.speaker)) endCue();
		group.push(word);
		length += word.word.length + 1;
	}
	endCue();
	return cues;
}

function endTime(start: number | null | undefined, end: number | null | undefined): number | null {
	return start == null || end == null ? null : Math.max(start, end);
}

function cleanSpeaker(speaker: string | null | undefined): string | null {
	return speaker?.replace(/\s+/g, " ").trim() || null;
}
