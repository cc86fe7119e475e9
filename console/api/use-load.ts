/** Loads something and keeps it: the value, what went wrong, and how to load it again. */

import { useCallback, useEffect, useRef, useState } from "react";
import { asProblem, type Problem } from "./client.ts";

export interface Loaded<Value> {
	/** Null until it is there. While it is loaded again, the last one stays. */
	readonly value: Value | null;
	readonly problem: Problem | null;
	readonly isLoading: boolean;
	readonly reload: () => void;
}

interface State<Value> {
	readonly name: string;
	readonly value: Value | null;
	readonly problem: Problem | null;
	readonly isLoading: boolean;
}

/**
 * @param name what is loaded; another name is another thing, and null is nothing yet
 * @param everyMs loads again after that time, while the page is looked at
 */
export function useLoad<Value>(name: string | null, load: (signal: AbortSignal) => Promise<Value>, everyMs: number | null = null): Loaded<Value> {
	const [state, setState] = useState<State<Value>>({ name: "", value: null, problem: null, isLoading: true });
	const [turn, setTurn] = useState(0);
	const latest = useRef(load);
	latest.current = load;

	useEffect(() => {
		if (name === null) return;
		const leaving = new AbortController();
		const once = async () => {
			setState((before) => ({ name, value: before.name === name ? before.value : null, problem: null, isLoading: turn >= 0 }));
			try {
				const value = await latest.current(leaving.signal);
				if (!leaving.signal.aborted) setState({ name, value, problem: null, isLoading: false });
			} catch (thrown) {
				if (!leaving.signal.aborted) setState((before) => ({ ...before, problem: asProblem(thrown), isLoading: false }));
			}
		};
		void once();
		return () => leaving.abort();
	}, [name, turn]);

	const reload = useCallback(() => setTurn((before) => before + 1), []);
	useEffect(() => {
		if (everyMs === null) return;
		const timer = setInterval(() => document.visibilityState === "visible" && reload(), everyMs);
		return () => clearInterval(timer);
	}, [everyMs, reload]);

	const isCurrent = state.name === name;
	return { value: isCurrent ? state.value : null, problem: isCurrent ? state.problem : null, isLoading: state.isLoading || !isCurrent, reload };
}
