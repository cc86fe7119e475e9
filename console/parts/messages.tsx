/** What is said instead of content: something went wrong, something is loading, there is nothing yet. */

import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import type { Problem } from "../api/client.ts";
import type { Loaded } from "../api/use-load.ts";

interface TroubleProps {
	readonly problem: Pick<Problem, "message" | "remedy">;
	readonly onRetry?: () => void;
	readonly retryWords?: string;
}

/** The server begins its messages in lower case, as they stand in logs. */
export function sentence(text: string): string {
	const begun = text.charAt(0).toUpperCase() + text.slice(1);
	return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

export function Trouble({ problem, onRetry, retryWords = "Try again" }: TroubleProps) {
	return (
		<div className="trouble" role="alert">
			<p>
				<strong>{sentence(problem.message)}</strong>
			</p>
			{problem.remedy !== null && <p>{sentence(problem.remedy)}</p>}
			{onRetry !== undefined && (
				<Button className="button" onPress={onRetry}>
					{retryWords}
				</Button>
			)}
		</div>
	);
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
	return (
		<div className="empty">
			<p className="empty-title">{title}</p>
			{children}
		</div>
	);
}

interface WhenLoadedProps<Value> {
	readonly loaded: Loaded<Value>;
	readonly children: (value: Value) => ReactNode;
}

/** Shows what is there; while it is not, says so. */
export function WhenLoaded<Value>({ loaded: { value, problem, reload }, children }: WhenLoadedProps<Value>) {
	return (
		<>
			{problem !== null && <Trouble problem={problem} onRetry={reload} />}
			{value === null ? problem === null && <p className="loading">Loading…</p> : children(value)}
		</>
	);
}
