/** Reads the tags of audio files with `music-metadata`: title, artist, lyrics with and without times, chapters. */

import { type ILyricsTag, type ITag, parseBuffer } from "music-metadata";
import { canonicalLanguage } from "../canonical-language.ts";
import type { Chapter, Cue } from "../cue.ts";
import { noTags, type Tags, tagsOf } from "../recording.ts";
import { secondsOf } from "../subtitles/cue-time.ts";

export interface AudioTags {
	readonly tags: Tags;
	readonly chapters: readonly Chapter[];
	readonly language: string | null;
}

const chaptersMax = 10_000;
const options = { duration: false, skipCovers: true, includeChapters: true } as const;

/** Damaged tags are treated as missing. */
export async function readTags(bytes: Uint8Array, mimeType: string | undefined): Promise<AudioTags> {
	const parsed = await parseBuffer(bytes, mimeType === undefined ? undefined : { mimeType }, options).catch(() => null);
	if (parsed === null) return { tags: noTags, chapters: [], language: null };
	const { title, artists, artist, albumartist, album, description, longDescription, comment, lyrics = [], language } = parsed.common;
	const comments = Object.values(parsed.native).flat();
	const timedLyrics = lyrics.find(({ syncText, timeStampFormat, contentType }) => syncText?.length > 0 && timeStampFormat === 2 && contentType <= 1);
	const lyricsText = commentOf(comments, "LYRICS") ?? commentOf(comments, "UNSYNCEDLYRICS") ?? lyrics.find(({ text }) => text !== undefined)?.text;
	const said = {
		title,
		artist: artists?.join(", ") ?? artist,
		albumartist: albumartist ?? commentOf(comments, "PERFORMER"),
		album,
		description: description?.[0] ?? longDescription,
		// Comments with a name contain data of programs and not text.
		comment: comment?.find(({ descriptor = "" }) => descriptor === "")?.text,
		lyrics: lyricsText?.replace(/\r\n?/g, "\n"),
	};
	const entries = Object.entries(said).filter((entry): entry is [string, string] => typeof entry[1] === "string");
	return {
		tags: { ...tagsOf(new Map(entries)), timedLyrics: timedLyrics === undefined || lyricsText === commentOf(comments, "LYRICS") ? [] : linesOf(timedLyrics) },
		chapters: [...(parsed.format.chapters ?? []).map(({ start, title }) => ({ begin: start, name: title })), ...chaptersIn(comments)].slice(0, chaptersMax),
		language: canonicalLanguage(language ?? lyrics[0]?.language),
	};
}

function commentOf(comments: readonly ITag[], id: string): string | undefined {
	const value = comments.find((comment) => comment.id === id)?.value;
	return typeof value === "string" ? value : undefined;
}

/** Chapters in Vorbis comments: `CHAPTER001` is the time, `CHAPTER001NAME` the title. */
function chaptersIn(comments: readonly ITag[]): readonly Chapter[] {
	return comments.flatMap(({ id, value }) => {
		const beginSeconds = /^CHAPTER\d{1,4}$/.test(id) ? secondsOf(String(value)) : null;
		return beginSeconds === null ? [] : [{ begin: beginSeconds, name: commentOf(comments, `${id}NAME`) ?? "" }];
	});
}

/** Joins timed words to lines. Each word has its time in milliseconds; a line feed begins a new line. */
function linesOf({ syncText }: ILyricsTag): readonly Cue[] {
	const lines: { readonly begin: number; text: string }[] = [];
	for (const { text, timestamp = 0 } of syncText) {
		const last = lines.at(-1);
		if (last === undefined || text.startsWith("\n") || last.text.endsWith("\n") || last.text.length > 500) lines.push({ begin: timestamp / 1000, text });
		else last.text += text;
	}
	return lines.flatMap(({ begin: beginSeconds, text }) => (text.trim() === "" ? [] : [{ begin: beginSeconds, end: null, speaker: null, text: text.trim() }]));
}
