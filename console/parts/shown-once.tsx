/** A secret that the server tells only now. */

import { Button } from "react-aria-components";
import { CopyButton } from "./copy-button.tsx";

interface ShownOnceProps {
	/** `key`, `secret` */
	readonly what: string;
	/** What the server keeps of it. */
	readonly kept: string;
	readonly secret: string;
	readonly close: () => void;
}

export function ShownOnce({ what, kept, secret, close }: ShownOnceProps) {
	return (
		<div className="made-key" role="status">
			<p>
				<strong>This is the {what}. It is shown only now:</strong> {kept}
			</p>
			<pre className="code">{secret}</pre>
			<div className="actions">
				<CopyButton text={secret} label={`Copy the ${what}`} isFilled />
				<Button className="button" onPress={close}>
					I have kept it
				</Button>
			</div>
		</div>
	);
}
