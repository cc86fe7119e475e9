/** Says what was just done, and takes it back. */

import { useState } from "react";
import { Button } from "react-aria-components";
import { asProblem } from "../api/client.ts";
import type { Notice } from "../context.ts";
import { sentence } from "./messages.tsx";

interface NoticeBarProps {
	readonly notice: Notice | null;
	readonly say: (notice: Notice | null) => void;
}

export function NoticeBar({ notice, say }: NoticeBarProps) {
	const [isUndoing, setUndoing] = useState(false);
	const undo = async (act: () => Promise<void>) => {
		setUndoing(true);
		try {
			await act();
			say({ text: "It was undone." });
		} catch (thrown) {
			say({ text: sentence(asProblem(thrown).message) });
		} finally {
			setUndoing(false);
		}
	};
	return (
		<div className="notice-place" role="status">
			{notice !== null && (
				<div className="notice">
					<span>{notice.text}</span>
					{notice.undo !== undefined && (
						<Button className="button quiet" isDisabled={isUndoing} onPress={() => notice.undo !== undefined && void undo(notice.undo)}>
							Undo
						</Button>
					)}
					<Button className="button quiet" onPress={() => say(null)}>
						Close
					</Button>
				</div>
			)}
		</div>
	);
}
