/** Loads a page again when something has happened on the server. */

import { useEffect, useRef } from "react";
import { useConsole } from "../context.ts";
import type { ServerEvent } from "./events.ts";

/** A document may bring fifty memories at once. */
const restMs = 400;

/** @param concerns whether an event may change what is shown; when the stream begins anew, that is always so */
export function useReloadAfterEvents(concerns: (event: ServerEvent) => boolean, reload: () => void): void {
	const { events } = useConsole();
	const latest = useRef(concerns);
	latest.current = concerns;
	useEffect(() => {
		let timer: ReturnType<typeof setTimeout> | undefined;
		const stopListening = events.listen((event) => {
			if (event.type !== "connected" && !latest.current(event)) return;
			clearTimeout(timer);
			timer = setTimeout(reload, restMs);
		});
		return () => {
			stopListening();
			clearTimeout(timer);
		};
	}, [events, reload]);
}
