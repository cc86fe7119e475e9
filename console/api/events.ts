/** What happens on the server, as it tells it. One stream for the whole page, open while somebody listens; after a break it goes on where it was. */

import type { Api } from "./client.ts";
import type { DocumentStatus, ListedDocument } from "./wire.ts";

export interface ServerEvent {
	/** `document.done`, `progress`; `connected` when the stream begins anew, so that what happened before has to be looked up. */
	readonly type: string;
	/** Of the document or memory. */
	readonly id?: string;
	readonly containerTags?: readonly string[];
	/** Of `progress`. */
	readonly status?: DocumentStatus;
	readonly progress?: ListedDocument["progress"];
}

export interface Events {
	/** @returns what stops it */
	readonly listen: (heard: (event: ServerEvent) => void) => () => void;
	/** Whether the stream is open. While it is not, changes have to be asked for. */
	readonly isLive: () => boolean;
}

/** The server tells that it is there every 15 seconds. */
const silenceMsMax = 40_000;
const pauseMsMin = 1_000;
const pauseMsMax = 30_000;

export function createEvents(api: Api): Events {
	const listeners = new Set<(event: ServerEvent) => void>();
	let stream: AbortController | null = null;
	let isLive = false;
	let lastId = "";

	function tell(event: ServerEvent): void {
		for (const heard of listeners) heard(event);
	}

	async function run(leaving: AbortSignal): Promise<void> {
		for (let pauseMs = pauseMsMin; !leaving.aborted; pauseMs = Math.min(pauseMs * 2, pauseMsMax)) {
			const connection = new AbortController();
			const signal = AbortSignal.any([leaving, connection.signal]);
			try {
				for await (const block of blocksOf(api, lastId, signal, connection)) {
					if (!isLive) {
						isLive = true;
						tell({ type: "connected" });
					}
					pauseMs = pauseMsMin;
					lastId = fieldOf(block, "id") || lastId;
					const data = fieldOf(block, "data");
					if (data !== "") tell(eventOf(data));
				}
			} catch {
				// A break, or an answer that is no stream: asked again after the pause.
			}
			connection.abort();
			if (leaving.aborted) return;
			isLive = false;
			await pause(pauseMs, leaving);
		}
	}

	return {
		isLive: () => isLive,
		listen: (heard) => {
			listeners.add(heard);
			if (stream === null) {
				stream = new AbortController();
				void run(stream.signal);
			} else if (isLive) heard({ type: "connected" });
			return () => {
				listeners.delete(heard);
				if (listeners.size > 0) return;
				stream?.abort();
				stream = null;
				isLive = false;
				lastId = "";
			};
		},
	};
}

/** Events that are no longer kept were missed: the listeners look up what they rely on. */
function eventOf(data: string): ServerEvent {
	const event = JSON.parse(data) as ServerEvent;
	return event.type === "gap" ? { type: "connected" } : event;
}

async function* blocksOf(api: Api, lastId: string, signal: AbortSignal, connection: AbortController): AsyncGenerator<string> {
	const { body } = await api.open("GET", "/v3/events?progress=true", undefined, signal, lastId === "" ? {} : { "last-event-id": lastId });
	const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
	for (let rest = ""; reader !== undefined; ) {
		const silence = setTimeout(() => connection.abort(), silenceMsMax);
		const { done, value = "" } = await reader.read().finally(() => clearTimeout(silence));
		if (done) return;
		const blocks = (rest + value).split("\n\n");
		rest = blocks.pop() ?? "";
		yield* blocks;
	}
}

function fieldOf(block: string, name: string): string {
	return (
		block
			.split("\n")
			.find((line) => line.startsWith(`${name}: `))
			?.slice(name.length + 2) ?? ""
	);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, ms);
		const end = () => {
			clearTimeout(timer);
			resolve();
		};
		signal.addEventListener("abort", end, { once: true });
	});
}
