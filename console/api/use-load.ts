/** Loads something and keeps it: the value, what went wrong, and how to load it again. */

import { useCallback, useEffect, useRef, useState } from "react";
import { asProblem, type Problem } from "./client.ts";

export interface Loaded<Value> {
	/** Null until it is there. While it is loaded again, the last one stays. */
	readonly value: Value | null;
	readonly problem: Problem | null;
	readonly reload: () => void;
}

interface State<Value> {
	readonly name: string;
	readonly value: Value | null;
	readonly problem: Problem | null;
}

/**
 * @param name what is loaded: another name is another thing
 * @param load may show what it has so far, before all is there
 * @param pauseMs after how long it is loaded again while the page is looked at; null for never
 * @param known what is shown until it is loaded
 */
export function useLoad<Value>(
	name: string,
	load: (signal: AbortSignal, show: (value: Value) => void) => Promise<Value>,
	pauseMs: (value: Value) => number | null = () => null,
	known: Value | null = null,
): Loaded<Value> {
	const [state, setState] = useState<State<Value>>({ name, value: known, problem: null });
	const [asked, setAsked] = useState({ name });
	const latest = useRef(load);
	latest.current = load;
	// Another name is asked for at once; the same one again by `reload`.
	if (asked.name !== name) setAsked({ name });

	useEffect(() => {
		const leaving = new AbortController();
		const settle = (next: (before: Value | null) => Omit<State<Value>, "name">) => {
			if (!leaving.signal.aborted) setState((before) => ({ name: asked.name, ...next(before.name === asked.name ? before.value : null) }));
		};
		const show = (value: Value) => settle(() => ({ value, problem: null }));
		latest.current(leaving.signal, show).then(show, (thrown) => settle((value) => ({ value, problem: asProblem(thrown) })));
		return () => leaving.abort();
	}, [asked]);

	const reload = useCallback(() => setAsked(({ name: same }) => ({ name: same })), []);
	const { value, problem } = state.name === name ? state : { value: known, problem: null };
	const pause = value === null ? null : pauseMs(value);
	useEffect(() => {
		if (pause === null) return;
		const timer = setInterval(() => document.visibilityState === "visible" && reload(), pause);
		return () => clearInterval(timer);
	}, [pause, reload]);
	return { value, problem, reload };
}
