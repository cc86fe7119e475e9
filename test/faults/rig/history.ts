/**
 * What a client knows of what it has stored: for each document and each memory the last acknowledged word, and the words that are possible
 * because an answer was lost. A store that holds anything else has lost something, or brought something back.
 */

export interface Known {
	/** Its name for the client: a customId, or the first words of a memory. */
	readonly name: string;
	/** Its container. */
	readonly tag: string;
	/** Of the server, for a memory. */
	id: string | null;
	/** Null when it was deleted or forgotten, or is not there yet. */
	word: string | null;
	readonly unsure: Set<string | null>;
	/** Every word that it had and must not be found by any more. */
	readonly gone: Set<string>;
	/** Since the last check. */
	isTouched: boolean;
}

export interface History {
	readonly documents: Map<string, Known>;
	readonly memories: Map<string, Known>;
	readonly counts: Counts;
}

/** Of acknowledged operations. */
export interface Counts {
	added: number;
	changed: number;
	deleted: number;
	forgotten: number;
	unanswered: number;
	merged: number;
}

export function newHistory(): History {
	return { documents: new Map(), memories: new Map(), counts: { added: 0, changed: 0, deleted: 0, forgotten: 0, unanswered: 0, merged: 0 } };
}

export function newKnown(name: string, tag: string): Known {
	return { name, tag, id: null, word: null, unsure: new Set(), gone: new Set(), isTouched: true };
}

export function begin(known: Known, word: string | null): void {
	known.isTouched = true;
	known.unsure.add(word);
}

export function acknowledge(known: Known, word: string | null): void {
	if (known.word !== null && known.word !== word) known.gone.add(known.word);
	known.word = word;
	known.unsure.clear();
}

/** Compares what is stored with what is possible, and takes it as known from now on. @returns what is wrong, or null */
export function compare(known: Known, stored: string | null): string | null {
	const possible = new Set([known.word, ...known.unsure]);
	if (!possible.has(stored)) return `${known.name} holds ${stored}; acknowledged was ${known.word}, unsure ${[...known.unsure].join(", ") || "nothing"}`;
	for (const word of possible) if (word !== null && word !== stored) known.gone.add(word);
	known.word = stored;
	known.unsure.clear();
	known.isTouched = false;
	return null;
}
