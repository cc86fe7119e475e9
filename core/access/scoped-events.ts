/** Events in the containers of a key. Events of the whole organisation are left out. */

import { fail } from "../errors/fail.ts";
import { asId, type MemoryId } from "../model/id.ts";
import type { EventLog, LogEvent } from "../ports/event-log.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { Bounds } from "./bounds.ts";

/** Events read at once while those outside the grants are skipped. */
const eventsAtOnce = 1_000;

/** @param memories already limited to the same grants */
export function scopedEvents(inner: EventLog, memories: MemoryStore, bounds: Bounds): EventLog {
	/** The event of a memory refers to its parent, which may have moved to a container that the key may not read. */
	const withReadableParents = async (events: readonly LogEvent[]): Promise<readonly LogEvent[]> => {
		const parents = new Set(events.flatMap(({ facts: { parent } }) => (typeof parent === "string" ? [asId<MemoryId>(parent)] : [])));
		const readable = new Set<unknown>((await memories.get([...parents])).map(({ id }) => id));
		return events.map((event) =>
			"parent" in event.facts && !readable.has(event.facts["parent"]) ? { ...event, facts: { ...event.facts, parent: null } } : event,
		);
	};

	return {
		// A caller takes a short page for the last one, so events outside the grants must not shorten it.
		after: async (sequence, types, limit) => {
			const found: LogEvent[] = [];
			for (let last = sequence; found.length < limit; ) {
				const events = await inner.after(last, types, eventsAtOnce);
				for (const event of events) {
					const containerTags = bounds.onlyReadable(event.containerTags);
					if (containerTags.length > 0) found.push({ ...event, containerTags });
				}
				const lastEvent = events.at(-1);
				if (lastEvent === undefined || events.length < eventsAtOnce) break;
				last = lastEvent.sequence;
			}
			return withReadableParents(found.slice(0, limit));
		},
		latest: inner.latest,
		oldest: inner.oldest,
		append: async (event) => {
			if (event.containerTags.length === 0) throw fail("ROLE_MISSING", "admin");
			bounds.demandWritable(event.containerTags);
			await inner.append(event);
		},
	};
}
