/** Footnotes, endnotes and comments: each gets a mark in the text, and is added once, at the end. */

import { attributeOf, elementsOf, type XmlElement } from "../../xml/xml-element.ts";

export type NoteKind = "footnote" | "endnote";

export interface Note {
	readonly kind: NoteKind;
	readonly number: number;
	readonly elements: readonly XmlElement[];
}

export interface Comment {
	readonly author: string;
	readonly elements: readonly XmlElement[];
}

export interface Notes {
	/** The note's mark in the text; empty when there is no such note. */
	readonly mark: (kind: NoteKind, id: string) => string;
	readonly noteComment: (id: string) => void;
	/** The notes marked since the last call: reading a note may mark another one. */
	readonly takeNotes: () => readonly Note[];
	readonly takeComments: () => readonly Comment[];
}

export interface NoteParts {
	readonly footnotes: XmlElement | null;
	readonly endnotes: XmlElement | null;
	readonly comments: XmlElement | null;
}

export function collectNotes(parts: NoteParts): Notes {
	const known = { footnote: byId(parts.footnotes, "footnote"), endnote: byId(parts.endnotes, "endnote") };
	const comments = byId(parts.comments, "comment");
	const numbers = new Map<XmlElement, number>();
	let notes: Note[] = [];
	let warnings: Comment[] = [];
	return {
		mark(kind, id) {
			const note = known[kind].get(id);
			if (note === undefined) return "";
			const number = numbers.get(note) ?? numbers.size + 1;
			if (!numbers.has(note)) notes.push({ kind, number, elements: elementsOf(note) });
			numbers.set(note, number);
			return `[^${number}]`;
		},
		noteComment(id) {
			const comment = comments.get(id);
			if (comment === undefined) return;
			comments.delete(id);
			warnings.push({ author: attributeOf(comment, "author") ?? "", elements: elementsOf(comment) });
		},
		takeNotes() {
			const taken = notes;
			notes = [];
			return taken;
		},
		takeComments() {
			const taken = warnings;
			warnings = [];
			return taken;
		},
	};
}

function byId(root: XmlElement | null, name: string): Map<string, XmlElement> {
	return new Map(elementsOf(root, name).map((element) => [attributeOf(element, "id") ?? "", element]));
}
