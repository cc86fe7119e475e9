/** Reads a stream of server-sent events as its standard says: blocks of fields, comments left out. */

export interface HeardEvent {
	readonly id: string;
	readonly event: string;
	readonly data: Readonly<Record<string, unknown>>;
}

export interface EventReader {
	/** The next event; null when the stream has ended. */
	readonly next: () => Promise<HeardEvent | null>;
	readonly take: (count: number) => Promise<readonly HeardEvent[]>;
	/** The last id that was heard, those of heartbeats included. */
	readonly lastId: () => string;
	readonly close: () => Promise<void>;
}

export function readEvents({ body }: Response): EventReader {
	if (body === null) throw new Error("there is no stream");
	const reader = body.getReader();
	const decoder = new TextDecoder();
	let text = "";
	let lastId = "";

	async function block(): Promise<readonly string[] | null> {
		while (!text.includes("\n\n")) {
			const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
			if (done) return null;
			text += decoder.decode(value, { stream: true });
		}
		const end = text.indexOf("\n\n");
		const lines = text.slice(0, end).split("\n");
		text = text.slice(end + 2);
		return lines;
	}

	async function next(): Promise<HeardEvent | null> {
		for (;;) {
			const lines = await block();
			if (lines === null) return null;
			const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
			lastId = field("id") || lastId;
			if (field("data") !== "") return { id: lastId, event: field("event"), data: JSON.parse(field("data")) as HeardEvent["data"] };
		}
	}

	return {
		next,
		take: async (count) => {
			const heard: HeardEvent[] = [];
			while (heard.length < count) {
				const event = await next();
				if (event === null) throw new Error(`the stream ended after ${heard.length} of ${count} events`);
				heard.push(event);
			}
			return heard;
		},
		lastId: () => lastId,
		close: () => reader.cancel(),
	};
}
