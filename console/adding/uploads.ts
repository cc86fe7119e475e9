/** What this tab has added: each is sent, then followed until its document is done or failed. Outlives the page it was begun on. */

import { type Api, asProblem, type Problem } from "../api/client.ts";
import type { Events, ServerEvent } from "../api/events.ts";
import type { DocumentStatus, ListedDocument, NamedDocuments, Receipt, WholeDocument } from "../api/wire.ts";
import type { ChosenFile } from "./chosen-files.ts";

export interface Upload {
	readonly number: number;
	readonly name: string;
	/** `waiting` and `sending` come before the document is there. */
	readonly state: "waiting" | "sending" | DocumentStatus;
	readonly documentId: string | null;
	readonly progress: ListedDocument["progress"];
	readonly problem: Pick<Problem, "message" | "remedy"> | null;
}

/** A file, or the content of a document: a text or an address. */
export type Addition = ChosenFile | { readonly content: string };

export interface Uploads {
	readonly list: () => readonly Upload[];
	readonly watch: (changed: () => void) => () => void;
	/** @param container empty for the standard one */
	readonly add: (additions: readonly Addition[], container: string) => void;
	readonly clearFinished: () => void;
}

/** A browser opens six connections to a server; the console itself needs some. */
const sentAtOnce = 3;
const lookMs = 700;
/** The oldest: they are processed first. */
const lookedAtOnce = 100;

export function isFinished({ state }: Pick<Upload, "state">): boolean {
	return state === "done" || state === "failed";
}

export function createUploads(api: Api, events: Events): Uploads {
	let all: readonly Upload[] = [];
	let count = 0;
	let sending = 0;
	let isFollowing = false;
	/** Those of which the stream may not have told everything: it began later, or before the id of the document was known. */
	const unsure = new Set<number>();
	const waiting: (() => Promise<void>)[] = [];
	const watchers = new Set<() => void>();

	function set(next: readonly Upload[]): void {
		all = next;
		for (const changed of watchers) changed();
	}
	function change(number: number, changes: Partial<Upload>): void {
		set(all.map((one) => (one.number === number ? { ...one, ...changes } : one)));
	}
	function sendNext(): void {
		const send = sending < sentAtOnce ? waiting.shift() : undefined;
		if (send === undefined) return;
		sending += 1;
		void send().finally(() => {
			sending -= 1;
			sendNext();
		});
		sendNext();
	}
	async function send(number: number, addition: Addition, container: string): Promise<void> {
		change(number, { state: "sending" });
		try {
			const { id, status } = await post(api, addition, container);
			change(number, { state: status, documentId: id });
			unsure.add(number);
			void follow();
		} catch (thrown) {
			change(number, { state: "failed", problem: asProblem(thrown) });
		}
	}
	/** The server tells how far they have come, as long as one is on its way. What its stream cannot tell is asked for. */
	async function follow(): Promise<void> {
		if (isFollowing) return;
		isFollowing = true;
		const stopListening = events.listen((event) => void hear(event));
		try {
			for (let open = unfinished(); open.length > 0; open = unfinished()) {
				const asked = open.filter(({ number }) => unsure.has(number) || !events.isLive()).slice(-lookedAtOnce);
				if (asked.length > 0) await look(asked).catch(() => undefined);
				await new Promise((resolve) => setTimeout(resolve, lookMs));
			}
		} finally {
			stopListening();
			isFollowing = false;
		}
	}
	async function hear({ type, id, status, progress = null }: ServerEvent): Promise<void> {
		if (type === "connected") for (const { number } of unfinished()) unsure.add(number);
		const told = unfinished().find(({ documentId }) => documentId === id);
		if (told === undefined) return;
		if (type === "progress" && status !== undefined) change(told.number, { state: status, progress });
		if (type === "document.done") change(told.number, { state: "done", progress: null });
		if (type === "document.failed") change(told.number, { state: "failed", progress: null, problem: await failureOf(api, told.documentId).catch(asProblem) });
	}
	function unfinished(): readonly (Upload & { readonly documentId: string })[] {
		return all.flatMap((one) => (one.documentId === null || isFinished(one) ? [] : [{ ...one, documentId: one.documentId }]));
	}
	async function look(open: ReturnType<typeof unfinished>): Promise<void> {
		const { documents } = await api.ask<NamedDocuments>("POST", "/v3/documents/documents/by-ids", {
			ids: open.map((one) => one.documentId),
			by: "id",
		});
		const found = new Map(documents.map((one) => [one.id as string, one]));
		for (const { number, documentId } of open) {
			unsure.delete(number);
			const document = found.get(documentId);
			// The stream may have told its end meanwhile.
			if (document === undefined || !unfinished().some((one) => one.number === number)) continue;
			const problem = document.status === "failed" ? await failureOf(api, documentId) : null;
			change(number, { state: document.status, progress: document.progress, problem });
		}
	}

	return {
		list: () => all,
		watch: (changed) => {
			watchers.add(changed);
			return () => watchers.delete(changed);
		},
		add: (additions, container) => {
			const added = additions.map((addition): Upload => {
				const number = ++count;
				waiting.push(() => send(number, addition, container));
				return { number, name: nameOf(addition), state: "waiting", documentId: null, progress: null, problem: null };
			});
			set([...added, ...all]);
			sendNext();
		},
		clearFinished: () => set(all.filter((one) => !isFinished(one))),
	};
}

function post(api: Api, addition: Addition, container: string): Promise<Receipt> {
	const tag = container === "" ? {} : { containerTag: container };
	if (!("file" in addition)) return api.ask("POST", "/v3/documents", { content: addition.content, ...tag });
	const form = new FormData();
	form.set("file", addition.file);
	// A search or a deletion may then be limited to the folder.
	if (addition.path !== undefined) form.set("filepath", `/${addition.path}`);
	for (const [name, value] of Object.entries(tag)) form.set(name, value);
	return api.ask("POST", "/v3/documents/file", form);
}

/** Why a document could not be read: lists do not say it. */
async function failureOf(api: Api, id: string): Promise<Upload["problem"]> {
	const { error } = await api.ask<WholeDocument>("GET", `/v3/documents/${encodeURIComponent(id)}`);
	return error === null ? null : { message: error.message, remedy: error.hint };
}

/** The first words of a text. */
function nameOf(addition: Addition): string {
	if ("file" in addition) return addition.path ?? addition.file.name;
	const [line = ""] = addition.content.trim().split("\n");
	return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
