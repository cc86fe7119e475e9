/** One sample of a text track in an MP4 → cues: 3GPP and QuickTime text, WebVTT in boxes, TTML documents. */

import { byteView, decodeUtf8 } from "../byte-view.ts";
import type { Cue } from "../cue.ts";
import { readTtml } from "../subtitles/read-ttml.ts";
import { voicesOf } from "../subtitles/voices.ts";
import { boxesIn } from "./boxes.ts";

interface Time {
	readonly begin: number;
	readonly end: number;
}

export type SampleDecoder = (bytes: Uint8Array, time: Time) => readonly Cue[];

/** By codec. Captions in the video (`c608`, `c708`) and subtitles as images (`mp4s`) are not supported. */
export const sampleDecoders: ReadonlyMap<string, SampleDecoder> = new Map([
	["tx3g", countedText],
	["text", countedText],
	["wvtt", boxedVtt],
	["stpp", ttml],
	["sbtt", (bytes, time) => voicesOf(time, decodeUtf8(bytes))],
]);

/** A length, the text, then styles. */
function countedText(bytes: Uint8Array, time: Time): readonly Cue[] {
	return voicesOf(time, countedWords(bytes));
}

export function countedWords(bytes: Uint8Array): string {
	if (bytes.byteLength < 2) return "";
	const length = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
	return decodeUtf8(bytes.subarray(2, 2 + length));
}

/** `vttc` boxes, each a cue with its `payl`; `vtte` is silence. */
function boxedVtt(bytes: Uint8Array, time: Time): readonly Cue[] {
	const view = byteView(bytes);
	return [...boxesIn(view, 0, view.length)].flatMap((cue) => {
		if (cue.name !== "vttc") return [];
		const words = [...boxesIn(view, cue.begin, cue.end)].filter((box) => box.name === "payl");
		return words.flatMap((box) => voicesOf(time, view.utf8(box.begin, box.end)));
	});
}

/** A document whose times are relative to the movie. A document without times lasts as long as its sample. */
function ttml(bytes: Uint8Array, time: Time): readonly Cue[] {
	return readTtml(bytes).cues.map((cue) => (cue.begin === 0 && cue.end === null ? { ...cue, ...time } : cue));
}
