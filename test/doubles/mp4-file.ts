/** MP4 files made to order: text tracks, sound, chapters and names, with the movie before or behind the media, or in fragments. */

export interface Mp4Cue {
	/** Milliseconds. */
	readonly begin: number;
	readonly end: number;
	readonly text: string;
}

export interface Mp4Track {
	readonly handler: "sbtl" | "text" | "subt" | "soun" | "vide" | "clcp";
	readonly codec: string;
	readonly language?: string;
	readonly name?: string;
	readonly isEnabled?: boolean;
	readonly chapters?: number;
	/** Milliseconds of silence before the track begins. */
	readonly delay?: number;
	readonly cues?: readonly Mp4Cue[];
}

export interface Mp4 {
	readonly tracks: readonly Mp4Track[];
	readonly names?: Readonly<Record<string, string>>;
	readonly movieFirst?: boolean;
	readonly isFragmented?: boolean;
	readonly brand?: string;
}

type Part = string | Uint8Array | readonly number[];

export function box(name: string, ...parts: readonly Part[]): Uint8Array {
	const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part as Uint8Array))));
	return Buffer.concat([u32(body.length + 8), Buffer.from(name, "latin1"), body]);
}

export function u32(...values: readonly number[]): Uint8Array {
	const bytes = Buffer.alloc(values.length * 4);
	for (const [index, value] of values.entries()) bytes.writeUInt32BE(value % 2 ** 32, index * 4);
	return bytes;
}

export function u16(value: number): Uint8Array {
	return Buffer.from([(value >> 8) & 0xff, value & 0xff]);
}

interface Sample {
	readonly bytes: Uint8Array;
	readonly duration: number;
}

export function mp4Of({ tracks, names = {}, movieFirst = false, isFragmented = false, brand = "isom" }: Mp4): Uint8Array {
	const head = box("ftyp", brand, u32(512), brand);
	const samples = tracks.map(samplesOf);
	const media = Buffer.concat(samples.flat().map(({ bytes }) => bytes));
	const movie = (from: number) => {
		let at = from;
		const boxes = tracks.map((track, index) => {
			const own = samples[index] ?? [];
			const start = at;
			at += own.reduce((sum, { bytes }) => sum + bytes.length, 0);
			return trackBox(track, index + 1, isFragmented ? [] : own, start);
		});
		const extended = isFragmented ? [box("mvex", ...tracks.map((_, index) => box("trex", u32(0, index + 1, 1, 0, 0, 0))))] : [];
		return box("moov", box("mvhd", u32(0, 0, 0, 1000, 0), Buffer.alloc(80)), ...boxes, ...extended, box("udta", metaBox(names)));
	};
	if (isFragmented) return Buffer.concat([head, movie(0), ...tracks.flatMap((_, index) => fragmentsOf(samples[index] ?? [], index + 1))]);
	if (!movieFirst) return Buffer.concat([head, box("mdat", media), movie(head.length + 8)]);
	const size = movie(0).length;
	return Buffer.concat([head, movie(head.length + size + 8), box("mdat", media)]);
}

function trackBox(
	{ handler, codec, language = "und", name, isEnabled = true, chapters, delay }: Mp4Track,
	id: number,
	samples: readonly Sample[],
	at: number,
): Uint8Array {
	const packed = [...language].reduce((value, letter) => value * 32 + (letter.charCodeAt(0) - 0x60), 0);
	const tables = [
		box("stsd", u32(0, 1), box(codec, Buffer.alloc(30))),
		box("stts", u32(0, samples.length, ...samples.flatMap(({ duration }) => [1, duration]))),
		box("stsc", u32(0, 1, 1, Math.max(1, samples.length), 1)),
		box("stsz", u32(0, 0, samples.length, ...samples.map(({ bytes }) => bytes.length))),
		box("stco", u32(0, samples.length === 0 ? 0 : 1, ...(samples.length === 0 ? [] : [at]))),
	];
	const media = box(
		"mdia",
		box("mdhd", u32(0, 0, 0, 1000, 0), u16(packed), u16(0)),
		box("hdlr", u32(0, 0), handler, Buffer.alloc(13)),
		box("minf", box("stbl", ...tables)),
	);
	return box(
		"trak",
		box("tkhd", u32(isEnabled ? 1 : 0, 0, 0, id, 0, 0), Buffer.alloc(60)),
		...(delay === undefined ? [] : [box("edts", box("elst", u32(0, 2, delay, 0xffffffff, 65536, 100_000, 0, 65536)))]),
		...(chapters === undefined ? [] : [box("tref", box("chap", u32(chapters)))]),
		media,
		...(name === undefined ? [] : [box("udta", box("name", Buffer.from(name)))]),
	);
}

/** One fragment for every two samples. */
function fragmentsOf(samples: readonly Sample[], id: number): readonly Uint8Array[] {
	const parts: Uint8Array[] = [];
	let time = 0;
	for (let index = 0; index < samples.length; index += 2) {
		const pair = samples.slice(index, index + 2);
		const moof = (offset: number) =>
			box(
				"moof",
				box("mfhd", u32(0, index)),
				box(
					"traf",
					box("tfhd", u32(0x020000, id)),
					box("tfdt", u32(0x01000000, 0, time)),
					box("trun", u32(0x000301, pair.length, offset, ...pair.flatMap(({ bytes, duration }) => [duration, bytes.length]))),
				),
			);
		parts.push(moof(moof(0).length + 8), box("mdat", ...pair.map(({ bytes }) => bytes)));
		time += pair.reduce((sum, { duration }) => sum + duration, 0);
	}
	return parts;
}

/** Silence between cues is a sample too. */
function samplesOf({ codec, cues = [] }: Mp4Track): readonly Sample[] {
	let now = 0;
	return cues.flatMap(({ begin, end, text }) => {
		const silence = begin > now ? [{ bytes: sampleOf(codec, ""), duration: begin - now }] : [];
		now = end;
		return [...silence, { bytes: sampleOf(codec, text), duration: end - begin }];
	});
}

function sampleOf(codec: string, text: string): Uint8Array {
	const words = Buffer.from(text);
	// Cues that are shown at one time are parted by a blank line.
	if (codec === "wvtt")
		return text === "" ? box("vtte") : Buffer.concat(text.split("\n\n").map((cue) => box("vttc", box("sttg", "align:start"), box("payl", Buffer.from(cue)))));
	if (codec === "stpp" || codec === "mp4a") return words;
	return Buffer.concat([u16(words.length), words, text === "" ? Buffer.alloc(0) : box("styl", u16(0))]);
}

function metaBox(names: Readonly<Record<string, string>>): Uint8Array {
	const items = Object.entries(names).map(([name, value]) => box(name, box("data", u32(1, 0), Buffer.from(value))));
	return box("meta", u32(0), box("hdlr", u32(0, 0), "mdir", Buffer.alloc(13)), box("ilst", ...items));
}
