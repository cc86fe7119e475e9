/** Collects the footnotes, endnotes and comments that the text refers to. Each is added once, at the end of the document. */

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
	/** Returns the reference mark for the text, such as `[^3]`, and queues the note. Empty if there is no such note. */
	readonly mark: (kind: NoteKind, id: string) => string;
	readonly referToComment: (id: string) => void;
	/** The notes queued since the last call. Reading a note may queue another one. */
	/** Queues a comment. Call it where the comment's range ends. */
	readonly takeNotes: () => readonly Note[];
	readonly takeComments: () => readonly Comment[];
}

export interface NoteParts {
	readonly footnotes: XmlElement | null;
	readonly endnotes: XmlElement | null;
	readonly comments: XmlElement | null;
}

export function collectNotes(parts: NoteParts): Notes {
	const notesByKind = { footnote: byId(parts.footnotes, "footnote"), endnote: byId(parts.endnotes, "endnote") };
	const comments = byId(parts.comments, "comment");
	const numbers = new Map<XmlElement, number>();
	let notes: Note[] = [];
	let referredComments: Comment[] = [];
	return {
		mark(kind, id) {
			const note = notesByKind[kind].get(id);
			if (note === undefined) return "";
			const number = numbers.get(note) ?? numbers.size + 1;
			if (!numbers.has(note)) notes.push({ kind, number, elements: elementsOf(note) });
			numbers.set(note, number);
			return `[^${number}]`;
		},
		referToComment(id) {
			const comment = comments.get(id);
			if (comment === undefined) return;
			comments.delete(id);
			referredComments.push({ author: attributeOf(comment, "author") ?? "", elements: elementsOf(comment) });
		},
		takeNotes() {
			const result = notes;
			notes = [];
			return result;
		},
		takeComments() {
			const result = referredComments;
			referredComments = [];
			return result;
		},
	};
}

function byId(root: XmlElement | null, name: string): Map<string, XmlElement> {
	return new Map(elementsOf(root, name).map((element) => [attributeOf(element, "id") ?? "", element]));
}
