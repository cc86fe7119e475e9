/** Converts one sample of a text track in an MP4 to cues: 3GPP and QuickTime text, WebVTT in boxes, TTML documents. */

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

/** The decoders by codec. Captions in the video (`c608`, `c708`) and subtitles as images (`mp4s`) are not supported. */
export const sampleDecoders: ReadonlyMap<string, SampleDecoder> = new Map([
	["tx3g", timedTextCues],
	["text", timedTextCues],
	["wvtt", vttCues],
	["stpp", ttmlCues],
	["sbtt", (bytes, time) => voicesOf(time, decodeUtf8(bytes))],
]);

/** A sample with a length, the text, then styles. */
function timedTextCues(bytes: Uint8Array, time: Time): readonly Cue[] {
	return voicesOf(time, lengthPrefixedText(bytes));
}

export function lengthPrefixedText(bytes: Uint8Array): string {
	if (bytes.byteLength < 2) return "";
	const length = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
	return decodeUtf8(bytes.subarray(2, 2 + length));
}

/** WebVTT in boxes: each `vttc` box is a cue, whose text is in its `payl` box. A `vtte` box is a pause. */
function vttCues(bytes: Uint8Array, time: Time): readonly Cue[] {
	const view = byteView(bytes);
	return [...boxesIn(view, 0, view.length)].flatMap((cue) => {
		if (cue.name !== "vttc") return [];
		const payloads = [...boxesIn(view, cue.begin, cue.end)].filter((box) => box.name === "payl");
		return payloads.flatMap((box) => voicesOf(time, view.utf8(box.begin, box.end)));
	});
}

/** A TTML document, whose times are relative to the start of the movie. The cue of a document without times lasts as long as its sample. */
function ttmlCues(bytes: Uint8Array, time: Time): readonly Cue[] {
	return readTtml(bytes).cues.map((cue) => (cue.begin === 0 && cue.end === null ? { ...cue, ...time } : cue));
}
