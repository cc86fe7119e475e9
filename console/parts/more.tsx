/** What is shown, and loaded, when somebody opens it. */

import { type ReactNode, useState } from "react";
import { Button, Disclosure, DisclosurePanel, Heading } from "react-aria-components";

interface MoreProps {
	readonly label: string;
	/** For a screen reader: what it belongs to. */
	readonly about: string;
	/** Of its heading: one below that of what it belongs to. */
	readonly level?: 2 | 3;
	readonly children: () => ReactNode;
}

export function More({ label, about, level = 3, children }: MoreProps) {
	const [isOpen, setOpen] = useState(false);
	return (
		<Disclosure className="disclosure" isExpanded={isOpen} onExpandedChange={setOpen}>
			<Heading level={level}>
				<Button slot="trigger" className="button quiet" aria-label={`${label} ${about}`}>
					<span aria-hidden="true" className="chevron" /> {label}
				</Button>
			</Heading>
			<DisclosurePanel>{isOpen && children()}</DisclosurePanel>
		</Disclosure>
	);
}
