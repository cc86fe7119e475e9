/** Interprets the tokens of an RTF file, and passes its text to sinks. */

import { isExternalUrl } from "../blocks/inline-text.ts";
import { symbolText } from "../text/symbol-fonts.ts";
import { charactersBySymbol, charactersByWord } from "./rtf-characters.ts";
import { codePageOfCharset, decodeCodePage, symbolCharset, westernCodePage } from "./rtf-code-pages.ts";
import { type Destination, destinationOf } from "./rtf-destinations.ts";
import { createRtfMath } from "./rtf-math.ts";
import { createSink, type ParagraphProperties, type Sink } from "./rtf-sink.ts";
import { type Font, type Group, newParagraph, textDestinations } from "./rtf-state.ts";
import { type Token, tokensOf } from "./rtf-tokens.ts";

export interface RtfText {
	readonly body: Sink;
	readonly notes: readonly string[];
	readonly comments: readonly string[];
	readonly headersAndFooters: readonly string[];
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
	readonly #headersAndFooters: string[] = [];
	readonly #fonts = new Map<number, Font>();
	readonly #styles = new Map<number, string>();
	readonly #groups: Group[] = [];
	/** The text of special destinations so far: a title, a field code, a list marker. */
	readonly #texts = new Map<Destination, string>();
	readonly #math = createRtfMath();
	#group: Group;
	#paragraph = newParagraph();
	#row: { isHeader: boolean; merges: ("none" | "left" | "above")[]; next: "none" | "left" | "above" } = { isHeader: false, merges: [], next: "none" };
	#codePage = westernCodePage;
	#language: number | null = null;
	#bytes: number[] = [];
	#charactersToSkip = 0;
	/** Whether a group has just begun. Only then `\*` has a meaning. */
	#isGroupStart = false;
	#isOptional = false;
	#styleNumber = 0;

	constructor() {
		this.#group = {
			destination: "text",
			isBold: false,
			isItalic: false,
			isHidden: false,
			script: null,
			font: -1,
			substitutes: 1,
			url: null,
			sink: this.#body,
		};
	}

	take(token: Token): void {
		if (token.kind === "bytes") {
			this.#isGroupStart = false;
			for (const byte of token.bytes) {
				if (this.#charactersToSkip > 0) this.#charactersToSkip--;
				else this.#bytes.push(byte);
			}
			return;
		}
		if (token.kind === "symbol") {
			if (token.character === "*") this.#isOptional = this.#isGroupStart;
			else this.#addText(charactersBySymbol[token.character] ?? "");
			this.#isGroupStart = false;
			return;
		}
		this.#flush();
		this.#charactersToSkip = 0;
		if (token.kind === "open") {
			this.#groups.push(this.#group);
			this.#group = { ...this.#group };
			if (this.#group.destination === "math") this.#math.open();
		} else if (token.kind === "word") this.#applyWord(token.name, token.number);
		else this.#closeGroup();
		this.#isGroupStart = token.kind === "open";
		this.#isOptional = false;
	}

	end(): RtfText {
		this.#flush();
		while (this.#groups.length > 0) this.#closeGroup();
		this.#body.close();
		const textOf = (name: Destination) => this.#texts.get(name) ?? "";
		return {
			body: this.#body,
			notes: this.#notes,
			comments: this.#comments,
			headersAndFooters: this.#headersAndFooters,
			title: textOf("title"),
			subject: textOf("subject"),
			language: this.#language,
		};
	}

	#closeGroup(): void {
		const closedGroup = this.#group;
		const parent = this.#groups.pop();
		if (parent === undefined) return;
		this.#group = parent;
		if (closedGroup.sink !== parent.sink) this.#endSink(closedGroup, parent);
		if (parent.destination === "math") this.#math.close();
		if (closedGroup.destination === parent.destination) return;
		if (closedGroup.destination === "math") for (const piece of this.#math.takePieces()) parent.sink.add(piece);
		if (closedGroup.destination === "marker") parent.sink.setMarker(this.#takeText("marker"));
		if (closedGroup.destination === "code") parent.url = urlInFieldCode(this.#takeText("code")) ?? parent.url;
	}

	#endSink(closedGroup: Group, parent: Group): void {
		closedGroup.sink.close();
		const text = closedGroup.sink.toText();
		if (text === "") return;
		if (closedGroup.destination === "note") parent.sink.add({ text: `[^${this.#notes.push(text)}]` });
		else if (closedGroup.destination === "page-header") this.#headersAndFooters.push(text);
		else if (closedGroup.destination === "box") parent.sink.outline.paragraph(text);
		else {
			const author = this.#takeText("author").trim();
			this.#comments.push(author === "" ? `Comment: ${text}` : `Comment by ${author}: ${text}`);
		}
	}

	#takeText(name: Destination): string {
		const text = this.#texts.get(name) ?? "";
		this.#texts.delete(name);
		return text;
	}

	#applyWord(word: string, number: number | null): void {
		const destination = destinationOf(word, this.#isOptional, this.#group.destination);
		if (destination !== null) {
			this.#setDestination(destination);
			return;
		}
		if (this.#group.destination === "skip") return;
		if (this.#group.destination === "math") this.#math.word(word, number);
		if (this.#group.destination === "fonts") this.#readFont(word, number ?? 0);
		else if (this.#group.destination === "styles") this.#readStyle(word, number ?? 0);
		else if (!this.#applyFormatting(word, number) && !this.#applyLayout(word, number)) this.#addText(charactersByWord[word] ?? "");
	}

	#setDestination(destination: Destination): void {
		this.#group.destination = destination;
		if (["page-header", "note", "comment", "box"].includes(destination)) this.#group.sink = createSink();
	}

	/** Handles control words for formatting and encoding. @returns whether it was one. */
	#applyFormatting(word: string, number: number | null): boolean {
		const isOn = number !== 0;
		const group = this.#group;
		if (word === "u") {
			this.#addText(String.fromCharCode(((number ?? 0) + 0x1_0000) % 0x1_0000));
			this.#charactersToSkip = group.substitutes;
		} else if (word === "uc") group.substitutes = Math.max(0, Math.min(number ?? 1, 8));
		else if (word === "b") group.isBold = isOn;
		else if (word === "i") group.isItalic = isOn;
		else if (word === "v" || word === "deleted") group.isHidden = isOn;
		else if (word === "super") group.script = isOn ? "above" : null;
		else if (word === "sub") group.script = isOn ? "below" : null;
		else if (word === "nosupersub") group.script = null;
		else if (word === "f") group.font = number ?? 0;
		else if (word === "plain") Object.assign(group, { isBold: false, isItalic: false, isHidden: false, script: null });
		else if (word === "ansicpg") this.#codePage = number ?? westernCodePage;
		else if (word === "mac") this.#codePage = 10_000;
		else if (word === "pc") this.#codePage = 437;
		else if (word === "pca") this.#codePage = 850;
		else if (word === "deflang") this.#language = number;
		else return false;
		return true;
	}

	/** Handles control words for paragraphs, cells and rows. @returns whether it was one. */
	#applyLayout(word: string, number: number | null): boolean {
		const { sink, destination } = this.#group;
		const paragraph = this.#paragraph;
		if (destination === "nested-row" && word === "nestrow") sink.endNestedRow();
		if (!textDestinations.has(destination)) return false;
		if (word === "par" || word === "sect" || word === "page" || word === "column") sink.endParagraph(this.#paragraphProperties());
		else if (word === "pard") this.#paragraph = newParagraph();
		else if (word === "intbl") paragraph.isInTable = true;
		else if (word === "s") paragraph.style = number ?? 0;
		else if (word === "outlinelevel") paragraph.outlineLevel = number;
		else if (word === "ilvl") paragraph.depth = Math.max(0, Math.min(number ?? 0, 8));
		else if (word === "cell") sink.endCell();
		else if (word === "nestcell") sink.endNestedCell();
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

	#paragraphProperties(): ParagraphProperties {
		const { style, outlineLevel, depth, isInTable } = this.#paragraph;
		const name = this.#styles.get(style) ?? "";
		const builtInLevel = /^heading ([1-9])/.exec(name)?.[1];
		const isTitle = name === "title";
		const styleLevel = builtInLevel === undefined ? null : Number(builtInLevel);
		const level = outlineLevel !== null && outlineLevel < 9 ? outlineLevel + 1 : styleLevel;
		return { headingLevel: isTitle ? 1 : level === null ? null : Math.min(level, 6), listDepth: depth, isTitle, isInTable };
	}

	#readFont(word: string, number: number): void {
		if (word === "f") this.#group.font = number;
		const font = this.#fonts.get(this.#group.font) ?? { codePage: null, isSymbol: false, name: "" };
		if (word === "fcharset") Object.assign(font, { codePage: codePageOfCharset(number), isSymbol: number === symbolCharset });
		if (word === "cpg") font.codePage = number;
		this.#fonts.set(this.#group.font, font);
	}

	#readStyle(word: string, number: number): void {
		if (word === "s") this.#styleNumber = number;
	}

	/** Decodes the buffered bytes. They are buffered because a character may have two bytes. */
	#flush(): void {
		if (this.#bytes.length === 0) return;
		const bytes = new Uint8Array(this.#bytes);
		this.#bytes = [];
		const font = this.#fonts.get(this.#group.font);
		if (font?.isSymbol === true && this.#group.destination === "text") {
			this.#writeText([...bytes].map((byte) => (byte === 0x20 ? " " : symbolText(font.name, byte.toString(16)))).join(""));
			return;
		}
		this.#writeText(decodeCodePage(bytes, font?.codePage ?? this.#codePage));
	}

	#addText(text: string): void {
		this.#flush();
		if (text !== "") this.#writeText(text);
	}

	#writeText(text: string): void {
		const { destination, isBold, isItalic, isHidden, url, script, sink, font } = this.#group;
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
				if (name.trim() !== "" && !this.#styles.has(this.#styleNumber)) this.#styles.set(this.#styleNumber, name.trim().toLowerCase());
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
				this.#texts.set(destination, `${this.#texts.get(destination) ?? ""}${text}`);
				return;
			default:
				if (!isHidden) sink.add({ text, isBold, isItalic, url, script });
		}
	}
}

function urlInFieldCode(code: string): string | null {
	const url = /^\s*HYPERLINK\s+"?([^"\s]+)/i.exec(code)?.[1];
	return url !== undefined && isExternalUrl(url) ? url : null;
}
