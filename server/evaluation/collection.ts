/** A retrieval collection: documents, questions, and which documents answer which question. */

export interface CollectionDocument {
	readonly id: string;
	readonly title: string;
	readonly text: string;
	/** A question is asked inside its group only; null where all documents are one. */
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
	/** Only those that some document answers. */
	readonly questions: readonly Question[];
	/** By the id of a question: how much each document is worth, by its id. */
	readonly relevant: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Title and text as one, as a reader would see them. */
export function wholeText({ title, text }: Pick<CollectionDocument, "title" | "text">): string {
	return title === "" ? text : `${title}\n\n${text}`;
}

/** In the order of the collection. */
export function byGroup(documents: readonly CollectionDocument[]): ReadonlyMap<string, readonly CollectionDocument[]> {
	const groups = new Map<string, CollectionDocument[]>();
	for (const document of documents) {
		const group = groups.get(document.group ?? "");
		if (group === undefined) groups.set(document.group ?? "", [document]);
		else group.push(document);
	}
	return groups;
}
