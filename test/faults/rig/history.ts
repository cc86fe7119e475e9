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
	/** What was begun and acknowledged, in order. */
	readonly log: Entry[];
}

interface Entry {
	readonly known: Known;
	readonly word: string | null;
	readonly isAcknowledged: boolean;
	/** Milliseconds since 1970: rounded down for a beginning, and up for an acknowledgement. */
	readonly at: number;
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
	return { documents: new Map(), memories: new Map(), counts: { added: 0, changed: 0, deleted: 0, forgotten: 0, unanswered: 0, merged: 0 }, log: [] };
}

export function newKnown(name: string, tag: string): Known {
	return { name, tag, id: null, word: null, unsure: new Set(), gone: new Set(), isTouched: true };
}

export function begin(known: Known, word: string | null, log: Entry[]): void {
	log.push({ known, word, isAcknowledged: false, at: Date.now() });
	known.isTouched = true;
	known.unsure.add(word);
}

export function acknowledge(known: Known, word: string | null, log: Entry[]): void {
	log.push({ known, word, isAcknowledged: true, at: Date.now() + 1 });
	note(known, word);
}

function note(known: Known, word: string | null): void {
	if (known.word !== null && known.word !== word) known.gone.add(known.word);
	known.word = word;
	known.unsure.clear();
}

/** The history as it was at an earlier time. What was not begun by then must not be there. */
export function historyAt({ documents, memories, log }: History, at: number): History {
	const past = newHistory();
	for (const kind of ["documents", "memories"] as const)
		for (const { name, tag } of { documents, memories }[kind].values()) past[kind].set(name, newKnown(name, tag));
	for (const { known, word, isAcknowledged } of log.filter((entry) => entry.at <= at)) {
		const then = past.documents.get(known.name) ?? past.memories.get(known.name);
		if (then === undefined) continue;
		if (isAcknowledged) note(then, word);
		else then.unsure.add(word);
	}
	return past;
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
