/** Does something that may fail, and keeps what went wrong until the next try. */

import { useState } from "react";
import { asProblem, type Problem } from "../api/client.ts";

export interface Attempt {
	readonly problem: Problem | null;
	readonly isActing: boolean;
	readonly attempt: (act: () => Promise<unknown>) => void;
}

export function useAttempt(): Attempt {
	const [problem, setProblem] = useState<Problem | null>(null);
	const [isActing, setActing] = useState(false);
	const run = async (act: () => Promise<unknown>) => {
		setActing(true);
		setProblem(null);
		try {
			await act();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		} finally {
			setActing(false);
		}
	};
	return { problem, isActing, attempt: (act) => void run(act) };
}
