/** Copies a text. A page that came over plain HTTP from another machine may not, and says so. */

import { Button } from "react-aria-components";
import { useConsole } from "../context.ts";

interface CopyButtonProps {
	readonly text: string;
	readonly label: string;
	/** For a screen reader, where the label alone does not say what is copied. */
	readonly about?: string;
	readonly isFilled?: boolean;
}

export function CopyButton({ text, label, about, isFilled = false }: CopyButtonProps) {
	const { say } = useConsole();
	const copy = async () => {
		try {
			await navigator.clipboard.writeText(text);
			say({ text: "It was copied." });
		} catch {
			say({ text: "The browser does not let this page copy. Select the text and copy it yourself." });
		}
	};
	return (
		<Button className={isFilled ? "button filled" : "button"} onPress={() => void copy()} {...(about === undefined ? {} : { "aria-label": about })}>
			{label}
		</Button>
	);
}
