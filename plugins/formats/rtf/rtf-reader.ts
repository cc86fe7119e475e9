/** Interprets the tokens of an RTF file and passes its text to sinks. */

import { isExternalUrl } from "../blocks/inline-text.ts";
import { symbolText } from "../text/symbol-fonts.ts";
import { decodePage, pageOfCharset, symbolCharset, westernPage } from "./rtf-code-pages.ts";
import { type Destination, destinationOf } from "./rtf-destinations.ts";
import { createRtfMath } from "./rtf-math.ts";
import { signs, symbols } from "./rtf-signs.ts";
import { createSink, type ParagraphForm, type Sink } from "./rtf-sink.ts";
import { type Font, formed, freshParagraph, type Group } from "./rtf-state.ts";
import { type Token, tokensOf } from "./rtf-tokens.ts";

export interface RtfText {
	readonly body: Sink;
	readonly notes: readonly string[];
	readonly comments: readonly string[];
	readonly heads: readonly string[];
	readonly title: string;
	readonly subject: string;
	readonly language: number | null;
}

export function readRtf(bytes: Uint8Array): RtfText {
	const reader = new RtfReader();
	for (const token of tokensOf(bytes)) reader.take(token);
	return reader.end();
}

class RtfReader {
	readonly #body = createSink();
	readonly #notes: string[] = [];
	readonly #comments: string[] = [];
	readonly #heads: string[] = [];
	readonly #fonts = new Map<number, Font>();
	readonly #styles = new Map<number, string>();
	readonly #groups: Group[] = [];
	/** Text of special destinations: a title, a field code, a list marker. */
	readonly #facts = new Map<Destination, string>();
	readonly #math = createRtfMath();
	#group: Group;
	#paragraph = freshParagraph();
	#row: { isHeader: boolean; merges: ("none" | "left" | "above")[]; next: "none" | "left" | "above" } = { isHeader: false, merges: [], next: "none" };
	#page = westernPage;
	#language: number | null = null;
	#bytes: number[] = [];
	#skipping = 0;
	/** Whether a group has just begun: only there `\*` has a meaning. */
	#isBegun = false;
	#isOptional = false;
	#style = 0;

	constructor() {
		this.#group = {
			destination: "text",
			isBold: false,
			isItalic: false,
			isHidden: false,
			script: null,
			font: -1,
			substitutes: 1,
			address: null,
			sink: this.#body,
		};
	}

	take(token: Token): void {
		if (token.kind === "bytes") {
			this.#isBegun = false;
			for (const byte of token.bytes) {
				if (this.#skipping > 0) this.#skipping--;
				else this.#bytes.push(byte);
			}
			return;
		}
		if (token.kind === "symbol") {
			if (token.sign === "*") this.#isOptional = this.#isBegun;
			else this.#say(symbols[token.sign] ?? "");
			this.#isBegun = false;
			return;
		}
		this.#flush();
		this.#skipping = 0;
		if (token.kind === "open") {
			this.#groups.push(this.#group);
			this.#group = { ...this.#group };
			if (this.#group.destination === "math") this.#math.open();
		} else if (token.kind === "word") this.#control(token.name, token.number);
		else this.#leave();
		this.#isBegun = token.kind === "open";
		this.#isOptional = false;
	}

	end(): RtfText {
		this.#flush();
		while (this.#groups.length > 0) this.#leave();
		this.#body.close();
		const fact = (name: Destination) => this.#facts.get(name) ?? "";
		return {
			body: this.#body,
			notes: this.#notes,
			comments: this.#comments,
			heads: this.#heads,
			title: fact("title"),
			subject: fact("subject"),
			language: this.#language,
		};
	}

	#leave(): void {
		const ended = this.#group;
		const around = this.#groups.pop();
		if (around === undefined) return;
		this.#group = around;
		if (ended.sink !== around.sink) this.#endSink(ended, around);
		if (around.destination === "math") this.#math.close();
		if (ended.destination === around.destination) return;
		if (ended.destination === "math") for (const piece of this.#math.take()) around.sink.add(piece);
		if (ended.destination === "marker") around.sink.mark(this.#takeFact("marker"));
		if (ended.destination === "code") around.address = addressIn(this.#takeFact("code")) ?? around.address;
	}

	#endSink(ended: Group, around: Group): void {
		ended.sink.close();
		const text = ended.sink.flat();
		if (text === "") return;
		if (ended.destination === "note") around.sink.add({ text: `[^${this.#notes.push(text)}]` });
		else if (ended.destination === "head") this.#heads.push(text);
		else if (ended.destination === "box") around.sink.outline.paragraph(text);
		else {
			const author = this.#takeFact("author").trim();
			this.#comments.push(author === "" ? `Comment: ${text}` : `Comment by ${author}: ${text}`);
		}
	}

	#takeFact(name: Destination): string {
		const fact = this.#facts.get(name) ?? "";
		this.#facts.delete(name);
		return fact;
	}

	#control(word: string, number: number | null): void {
		const destination = destinationOf(word, this.#isOptional, this.#group.destination);
		if (destination !== null) {
			this.#enter(destination);
			return;
		}
		if (this.#group.destination === "skip") return;
		if (this.#group.destination === "math") this.#math.word(word, number);
		if (this.#group.destination === "fonts") this.#readFont(word, number ?? 0);
		else if (this.#group.destination === "styles") this.#readStyle(word, number ?? 0);
		else if (!this.#format(word, number) && !this.#layOut(word, number)) this.#say(signs[word] ?? "");
	}

	#enter(destination: Destination): void {
		this.#group.destination = destination;
		if (["head", "note", "comment", "box"].includes(destination)) this.#group.sink = createSink();
	}

	/** Handles control words for formatting and encoding. @returns whether it was one. */
	#format(word: string, number: number | null): boolean {
		const isOn = number !== 0;
		const group = this.#group;
		if (word === "u") {
			this.#say(String.fromCharCode(((number ?? 0) + 0x1_0000) % 0x1_0000));
			this.#skipping = group.substitutes;
		} else if (word === "uc") group.substitutes = Math.max(0, Math.min(number ?? 1, 8));
		else if (word === "b") group.isBold = isOn;
		else if (word === "i") group.isItalic = isOn;
		else if (word === "v" || word === "deleted") group.isHidden = isOn;
		else if (word === "super") group.script = isOn ? "above" : null;
		else if (word === "sub") group.script = isOn ? "below" : null;
		else if (word === "nosupersub") group.script = null;
		else if (word === "f") group.font = number ?? 0;
		else if (word === "plain") Object.assign(group, { isBold: false, isItalic: false, isHidden: false, script: null });
		else if (word === "ansicpg") this.#page = number ?? westernPage;
		else if (word === "mac") this.#page = 10_000;
		else if (word === "pc") this.#page = 437;
		else if (word === "pca") this.#page = 850;
		else if (word === "deflang") this.#language = number;
		else return false;
		return true;
	}

	/** Handles control words for paragraphs, cells and rows. @returns whether it was one. */
	#layOut(word: string, number: number | null): boolean {
		const { sink, destination } = this.#group;
		const paragraph = this.#paragraph;
		if (destination === "inner" && word === "nestrow") sink.endInnerRow();
		if (!formed.has(destination)) return false;
		if (word === "par" || word === "sect" || word === "page" || word === "column") sink.endParagraph(this.#form());
		else if (word === "pard") this.#paragraph = freshParagraph();
		else if (word === "intbl") paragraph.isInTable = true;
		else if (word === "s") paragraph.style = number ?? 0;
		else if (word === "outlinelevel") paragraph.outlineLevel = number;
		else if (word === "ilvl") paragraph.depth = Math.max(0, Math.min(number ?? 0, 8));
		else if (word === "cell") sink.endCell();
		else if (word === "nestcell") sink.endInnerCell();
		else if (word === "row") sink.endRow(this.#row);
		else return this.#defineRow(word);
		return true;
	}

	#defineRow(word: string): boolean {
		if (word === "trowd") this.#row = { isHeader: false, merges: [], next: "none" };
		else if (word === "trhdr") this.#row.isHeader = true;
		else if (word === "clmrg") this.#row.next = "left";
		else if (word === "clvmrg") this.#row.next = "above";
		else if (word === "cellx") {
			this.#row.merges.push(this.#row.next);
			this.#row.next = "none";
		} else return false;
		return true;
	}

	#form(): ParagraphForm {
		const { style, outlineLevel, depth, isInTable } = this.#paragraph;
		const name = this.#styles.get(style) ?? "";
		const numbered = /^heading ([1-9])/.exec(name)?.[1];
		const isTitle = name === "title";
		const ofStyle = numbered === undefined ? null : Number(numbered);
		const level = outlineLevel !== null && outlineLevel < 9 ? outlineLevel + 1 : ofStyle;
		return { headingLevel: isTitle ? 1 : level === null ? null : Math.min(level, 6), listDepth: depth, isTitle, isInTable };
	}

	#readFont(word: string, number: number): void {
		if (word === "f") this.#group.font = number;
		const font = this.#fonts.get(this.#group.font) ?? { page: null, isSymbol: false, name: "" };
		if (word === "fcharset") Object.assign(font, { page: pageOfCharset(number), isSymbol: number === symbolCharset });
		if (word === "cpg") font.page = number;
		this.#fonts.set(this.#group.font, font);
	}

	#readStyle(word: string, number: number): void {
		if (word === "s") this.#style = number;
	}

	/** Decodes the buffered bytes; they are collected because a character may have two. */
	#flush(): void {
		if (this.#bytes.length === 0) return;
		const bytes = new Uint8Array(this.#bytes);
		this.#bytes = [];
		const font = this.#fonts.get(this.#group.font);
		if (font?.isSymbol === true && this.#group.destination === "text") {
			this.#write([...bytes].map((byte) => (byte === 0x20 ? " " : symbolText(font.name, byte.toString(16)))).join(""));
			return;
		}
		this.#write(decodePage(bytes, font?.page ?? this.#page));
	}

	#say(text: string): void {
		this.#flush();
		if (text !== "") this.#write(text);
	}

	#write(text: string): void {
		const { destination, isBold, isItalic, isHidden, address, script, sink, font } = this.#group;
		switch (destination) {
			case "skip":
				return;
			case "fonts": {
				const entry = this.#fonts.get(font);
				if (entry !== undefined && entry.name === "") entry.name = text.replace(/;.*$/s, "").trim();
				return;
			}
			case "styles": {
				const [name = ""] = text.split(";");
				if (name.trim() !== "" && !this.#styles.has(this.#style)) this.#styles.set(this.#style, name.trim().toLowerCase());
				return;
			}
			case "math":
				this.#math.text(text);
				return;
			case "title":
			case "subject":
			case "marker":
			case "code":
			case "author":
				this.#facts.set(destination, `${this.#facts.get(destination) ?? ""}${text}`);
				return;
			default:
				if (!isHidden) sink.add({ text, isBold, isItalic, url: address, script });
		}
	}
}

function addressIn(code: string): string | null {
	const address = /^\s*HYPERLINK\s+"?([^"\s]+)/i.exec(code)?.[1];
	return address !== undefined && isExternalUrl(address) ? address : null;
}
