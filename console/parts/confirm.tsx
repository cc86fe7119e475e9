/** A button that asks before it acts. */

import { type ReactNode, useState } from "react";
import { Button, Dialog, DialogTrigger, Heading, Modal, ModalOverlay } from "react-aria-components";
import { asProblem, type Problem } from "../api/client.ts";
import { Trouble } from "./messages.tsx";

interface ConfirmProps {
	/** On the button that opens the question. */
	readonly label: string;
	/** For a screen reader, where the label alone does not say what it is about. */
	readonly about?: string;
	readonly question: string;
	readonly consequence: string;
	/** On the button that acts. */
	readonly action: string;
	readonly onConfirm: () => Promise<void>;
	/** Whether the fields are filled in. */
	readonly isReady?: boolean;
	/** Fields that belong to the question. */
	readonly children?: ReactNode;
}

export function Confirm({ label, about, question, consequence, action, onConfirm, isReady = true, children }: ConfirmProps) {
	const [problem, setProblem] = useState<Problem | null>(null);
	const [isActing, setActing] = useState(false);
	const act = async (close: () => void) => {
		setActing(true);
		try {
			await onConfirm();
			close();
		} catch (thrown) {
			setProblem(asProblem(thrown));
		} finally {
			setActing(false);
		}
	};
	return (
		<DialogTrigger onOpenChange={() => setProblem(null)}>
			<Button className="button quiet danger" {...(about === undefined ? {} : { "aria-label": `${label} ${about}` })}>
				{label}
			</Button>
			<ModalOverlay className="overlay" isDismissable>
				<Modal className="modal">
					<Dialog role="alertdialog" className="dialog">
						{({ close }) => (
							<>
								<Heading slot="title">{question}</Heading>
								<p>{consequence}</p>
								{children}
								{problem !== null && <Trouble problem={problem} />}
								<div className="actions end">
									<Button className="button" onPress={close} autoFocus>
										Cancel
									</Button>
									<Button className="button danger filled" isDisabled={isActing || !isReady} onPress={() => void act(close)}>
										{action}
									</Button>
								</div>
							</>
						)}
					</Dialog>
				</Modal>
			</ModalOverlay>
		</DialogTrigger>
	);
}
