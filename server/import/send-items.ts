/** Sends imported items to a server over the HTTP API. Items whose name the server knows already are not added again. */

import { z } from "zod";
import { defaultContainerTag } from "../../core/model/container.ts";
import { type WireApi, WireError } from "../client/wire-api.ts";
import type { ConversationItem, FileItem, Item, MemoryItem, TextItem } from "./item.ts";

export interface SendOptions {
	readonly api: WireApi;
	/** Overrides the container that the source names; null if none was chosen. */
	readonly container: string | null;
	/** Called after each item, for the progress line. */
	readonly onItemDone: (hasFailed: boolean) => void;
}

export interface SendResult {
	readonly documents: number;
	readonly memories: number;
	/** The number of memories that the server had already. */
	readonly known: number;
	readonly failed: readonly { readonly name: string; readonly error: string }[];
}

/** The API's limit for memories in a request, and for conditions in a filter. */
const memoriesPerRequest = 100;
const messagesPerRequest = 10_000;
const nameKey = "importedFrom";
const listResponse = z.object({ memoryEntries: z.array(z.object({ metadata: z.record(z.string(), z.unknown()).nullish() })) });

export async function sendItems(items: readonly Item[], options: SendOptions): Promise<SendResult> {
	const failed: { name: string; error: string }[] = [];
	let documents = 0;
	for (const item of items) {
		if (item.kind === "memory") continue;
		const error = await rejectionMessage(() => sendDocument(item, options));
		if (error === null) documents += 1;
		else failed.push({ name: titleOf(item), error });
		options.onItemDone(error !== null);
	}
	const counts = { memories: 0, known: 0 };
	for (const [container, batch] of batches(items, options.container)) {
		const rejected = await sendMemories(batch, container, options, counts);
		failed.push(...rejected);
		for (const [i] of batch.entries()) options.onItemDone(i < rejected.length);
	}
	return { documents, ...counts, failed };
}

/** Sends a batch of memories. The server rejects a batch if it rejects one memory of it; then each is sent alone. @returns the failed ones */
async function sendMemories(
	batch: readonly MemoryItem[],
	container: string,
	options: SendOptions,
	counts: { memories: number; known: number },
): Promise<SendResult["failed"]> {
	let newMemories: readonly MemoryItem[] = [];
	const error = await rejectionMessage(async () => {
		newMemories = await withoutKnown(batch, container, options);
		if (newMemories.length > 0) await options.api.ask("POST", "/v4/memories", { containerTag: container, memories: newMemories.map(memoryBody) });
	});
	if (error === null) {
		counts.memories += newMemories.length;
		counts.known += batch.length - newMemories.length;
		return [];
	}
	if (batch.length === 1) return batch.map(({ name }) => ({ name, error }));
	const rejected: { name: string; error: string }[] = [];
	for (const memory of batch) rejected.push(...(await sendMemories([memory], container, options, counts)));
	return rejected;
}

/** @returns the message if the server rejects the item, so that the others are still sent; null if it succeeds */
async function rejectionMessage(send: () => Promise<void>): Promise<string | null> {
	try {
		await send();
		return null;
	} catch (thrown) {
		// If no server responds or the key is wrong, the next item would fail too.
		if (!(thrown instanceof WireError) || thrown.status === 0 || thrown.status === 401) throw thrown;
		return thrown.message;
	}
}

function titleOf(item: Exclude<Item, MemoryItem>): string {
	return item.kind === "file" ? item.path : (item.title ?? item.name);
}

async function sendDocument(item: Exclude<Item, MemoryItem>, options: SendOptions): Promise<void> {
	if (item.kind === "conversation") await sendConversation(item, options);
	else if (item.kind === "file") await sendFile(item, options);
	else await sendText(item, options);
}

/** Sends a conversation. One with more messages than a request may contain is sent in several requests, which append to it. */
async function sendConversation({ name, title, messages, metadata }: ConversationItem, { api, container }: SendOptions): Promise<void> {
	for (let from = 0; from < messages.length; from += messagesPerRequest)
		await api.ask("POST", "/v4/conversations", {
			conversationId: name,
			messages: messages.slice(from, from + messagesPerRequest),
			metadata: { ...metadata, ...(title === null ? {} : { title }) },
			...(container === null ? {} : { containerTag: container }),
		});
}

async function sendText({ name, title, content, metadata, containers }: TextItem, { api, container }: SendOptions): Promise<void> {
	const tags = container === null ? containers : [container];
	const body = {
		content,
		customId: name,
		metadata: { ...metadata, ...(title === null ? {} : { title }) },
		...(tags.length === 0 ? {} : { containerTags: tags }),
	};
	await api.ask("POST", "/v3/documents", body);
}

async function sendFile({ name, path, filepath, metadata }: FileItem, { api, container }: SendOptions): Promise<void> {
	const form = new FormData();
	form.append("customId", name);
	form.append("filepath", filepath);
	form.append("metadata", JSON.stringify(metadata));
	if (container !== null) form.append("containerTag", container);
	form.append("file", Bun.file(path), filepath.split("/").at(-1));
	await api.ask("POST", "/v3/documents/file", form);
}

/** Batches of memories with the container that they are added to. */
function* batches(items: readonly Item[], container: string | null): Generator<readonly [string, readonly MemoryItem[]]> {
	const memories = items.filter((item): item is MemoryItem => item.kind === "memory");
	for (const [tag, memoriesOfTag] of Map.groupBy(memories, (memory) => container ?? memory.container ?? defaultContainerTag))
		for (let from = 0; from < memoriesOfTag.length; from += memoriesPerRequest) yield [tag, memoriesOfTag.slice(from, from + memoriesPerRequest)];
}

/** The memories that the server does not have yet. Forgotten and corrected memories keep their name, so they are not imported again. */
async function withoutKnown(batch: readonly MemoryItem[], container: string, { api }: SendOptions): Promise<readonly MemoryItem[]> {
	const filters = { OR: batch.map(({ name }) => ({ key: nameKey, value: name })) };
	const response = listResponse.parse(await api.ask("POST", "/v4/memories/list", { containerTags: [container], filters, limit: memoriesPerRequest }));
	const names = new Set(response.memoryEntries.map(({ metadata }) => metadata?.[nameKey]));
	return batch.filter(({ name }) => !names.has(name));
}

function memoryBody({ name, content, metadata, saidAt, happenedAt, endedAt }: MemoryItem): object {
	const temporal = { ...(saidAt === null ? {} : { documentDate: saidAt }), ...(happenedAt === null ? {} : { eventDate: [happenedAt] }) };
	return {
		content,
		metadata: { ...metadata, [nameKey]: name },
		...(Object.keys(temporal).length === 0 ? {} : { temporalContext: temporal }),
		...(endedAt === null ? {} : { forgetAfter: endedAt, forgetReason: "its source says that it ended" }),
	};
}
