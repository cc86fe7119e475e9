/** A retrieval collection: documents, questions, and which documents answer which question. */

export interface CollectionDocument {
	readonly id: string;
	readonly title: string;
	readonly text: string;
	/** A question is only searched in its group; null if all documents are one group. */
	readonly group: string | null;
}

export interface Question {
	readonly id: string;
	readonly text: string;
	readonly group: string | null;
}

export interface Collection {
	readonly name: string;
	readonly documents: readonly CollectionDocument[];
	/** Only questions with a relevant document. */
	readonly questions: readonly Question[];
	/** Relevance grades: for each question id, the grade of documents by id. */
	readonly relevant: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Title and text in one string, as a reader would see them. */
export function wholeText({ title, text }: Pick<CollectionDocument, "title" | "text">): string {
	return title === "" ? text : `${title}\n\n${text}`;
}

/** The documents of each group, in the order of the collection; the key is "" for documents without a group. */
export function byGroup(documents: readonly CollectionDocument[]): ReadonlyMap<string, readonly CollectionDocument[]> {
	const groups = new Map<string, CollectionDocument[]>();
	for (const document of documents) {
		const group = groups.get(document.group ?? "");
		if (group === undefined) groups.set(document.group ?? "", [document]);
		else group.push(document);
	}
	return groups;
}
