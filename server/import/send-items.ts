/** Sends what was read elsewhere to a server, by its ordinary routes. What is there under the same name is not added again. */

import { z } from "zod";
import { defaultContainerTag } from "../../core/model/container.ts";
import { type WireApi, WireError } from "../client/wire-api.ts";
import type { Conversation, FileDocument, Item, TextDocument, WrittenMemory } from "./item.ts";

export interface Sending {
	readonly api: WireApi;
	/** Wins over what a source says; null for none. */
	readonly container: string | null;
	readonly step: (hasFailed: boolean) => void;
}

export interface Sent {
	readonly documents: number;
	readonly memories: number;
	/** Memories that were there already. */
	readonly known: number;
	readonly failed: readonly { readonly name: string; readonly error: string }[];
}

/** The wire API takes so many memories at once, and so many conditions. */
const memoriesAtOnce = 100;
const messagesAtOnce = 10_000;
const nameKey = "importedFrom";
const listed = z.object({ memoryEntries: z.array(z.object({ metadata: z.record(z.string(), z.unknown()).nullish() })) });

export async function sendItems(items: readonly Item[], sending: Sending): Promise<Sent> {
	const failed: { name: string; error: string }[] = [];
	let documents = 0;
	for (const item of items) {
		if (item.kind === "memory") continue;
		const error = await refusalOf(() => sendDocument(item, sending));
		if (error === null) documents += 1;
		else failed.push({ name: titleOf(item), error });
		sending.step(error !== null);
	}
	const counts = { memories: 0, known: 0 };
	for (const [container, batch] of batches(items, sending.container)) {
		const refused = await sendMemories(batch, container, sending, counts);
		failed.push(...refused);
		for (const [i] of batch.entries()) sending.step(i < refused.length);
	}
	return { documents, ...counts, failed };
}

/** Where one of them is refused all are: then each is sent by itself. */
async function sendMemories(
	batch: readonly WrittenMemory[],
	container: string,
	sending: Sending,
	counts: { memories: number; known: number },
): Promise<Sent["failed"]> {
	let fresh: readonly WrittenMemory[] = [];
	const error = await refusalOf(async () => {
		fresh = await unknownOf(batch, container, sending);
		if (fresh.length > 0) await sending.api.ask("POST", "/v4/memories", { containerTag: container, memories: fresh.map(memoryBody) });
	});
	if (error === null) {
		counts.memories += fresh.length;
		counts.known += batch.length - fresh.length;
		return [];
	}
	if (batch.length === 1) return batch.map(({ name }) => ({ name, error }));
	const refused: { name: string; error: string }[] = [];
	for (const memory of batch) refused.push(...(await sendMemories([memory], container, sending, counts)));
	return refused;
}

/** A refused item does not stop the others. @returns null for none */
async function refusalOf(send: () => Promise<void>): Promise<string | null> {
	try {
		await send();
		return null;
	} catch (thrown) {
		// Nobody answers, or the key is wrong: the next would fail as well.
		if (!(thrown instanceof WireError) || thrown.status === 0 || thrown.status === 401) throw thrown;
		return thrown.message;
	}
}

function titleOf(item: Exclude<Item, WrittenMemory>): string {
	return item.kind === "file" ? item.path : (item.title ?? item.name);
}

async function sendDocument(item: Exclude<Item, WrittenMemory>, sending: Sending): Promise<void> {
	if (item.kind === "conversation") await sendConversation(item, sending);
	else if (item.kind === "file") await sendFile(item, sending);
	else await sendText(item, sending);
}

/** One that is longer than a request may be grows by as many. */
async function sendConversation({ name, title, messages, metadata }: Conversation, { api, container }: Sending): Promise<void> {
	for (let from = 0; from < messages.length; from += messagesAtOnce)
		await api.ask("POST", "/v4/conversations", {
			conversationId: name,
			messages: messages.slice(from, from + messagesAtOnce),
			metadata: { ...metadata, ...(title === null ? {} : { title }) },
			...(container === null ? {} : { containerTag: container }),
		});
}

async function sendText({ name, title, content, metadata, container: own }: TextDocument, { api, container }: Sending): Promise<void> {
	const tag = container ?? own;
	const body = { content, customId: name, metadata: { ...metadata, ...(title === null ? {} : { title }) }, ...(tag === null ? {} : { containerTag: tag }) };
	await api.ask("POST", "/v3/documents", body);
}

async function sendFile({ name, path, filepath, metadata }: FileDocument, { api, container }: Sending): Promise<void> {
	const form = new FormData();
	form.append("customId", name);
	form.append("filepath", filepath);
	form.append("metadata", JSON.stringify(metadata));
	if (container !== null) form.append("containerTag", container);
	form.append("file", Bun.file(path), filepath.split("/").at(-1));
	await api.ask("POST", "/v3/documents/file", form);
}

/** Memories by the container they go into. */
function* batches(items: readonly Item[], container: string | null): Generator<readonly [string, readonly WrittenMemory[]]> {
	const memories = items.filter((item): item is WrittenMemory => item.kind === "memory");
	for (const [tag, all] of Map.groupBy(memories, (memory) => container ?? memory.container ?? defaultContainerTag))
		for (let from = 0; from < all.length; from += memoriesAtOnce) yield [tag, all.slice(from, from + memoriesAtOnce)];
}

/** Forgotten and corrected ones keep their name, so what a person has decided stays. */
async function unknownOf(batch: readonly WrittenMemory[], container: string, { api }: Sending): Promise<readonly WrittenMemory[]> {
	const filters = { OR: batch.map(({ name }) => ({ key: nameKey, value: name })) };
	const found = listed.parse(await api.ask("POST", "/v4/memories/list", { containerTags: [container], filters, limit: memoriesAtOnce }));
	const names = new Set(found.memoryEntries.map(({ metadata }) => metadata?.[nameKey]));
	return batch.filter(({ name }) => !names.has(name));
}

function memoryBody({ name, content, metadata, saidAt, happenedAt, endedAt }: WrittenMemory): object {
	const temporal = { ...(saidAt === null ? {} : { documentDate: saidAt }), ...(happenedAt === null ? {} : { eventDate: [happenedAt] }) };
	return {
		content,
		metadata: { ...metadata, [nameKey]: name },
		...(Object.keys(temporal).length === 0 ? {} : { temporalContext: temporal }),
		...(endedAt === null ? {} : { forgetAfter: endedAt, forgetReason: "its source says that it ended" }),
	};
}
