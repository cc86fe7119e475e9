/** Says what was just done, and takes it back. */

import { useState } from "react";
import { Button } from "react-aria-components";
import { asProblem, type Problem } from "../api/client.ts";
import type { Notice } from "../context.ts";
import { sentence } from "./messages.tsx";

export function NoticeBar({ notice, dismiss }: { readonly notice: Notice | null; readonly dismiss: () => void }) {
	const [problem, setProblem] = useState<Problem | null>(null);
	const undo = async () => {
		try {
			await notice?.undo?.();
			dismiss();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		}
	};
	return (
		<div className="notice-place" role="status">
			{notice !== null && (
				<div className="notice">
					<span>{problem === null ? notice.text : sentence(problem.message)}</span>
					{notice.undo !== undefined && problem === null && (
						<Button className="button quiet" onPress={() => void undo()}>
							Undo
						</Button>
					)}
					<Button
						className="button quiet"
						onPress={() => {
							setProblem(null);
							dismiss();
						}}
					>
						Close
					</Button>
				</div>
			)}
		</div>
	);
}
