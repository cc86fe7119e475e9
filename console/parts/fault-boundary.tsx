/** Keeps a fault of a page to that page: what stands around it goes on, and the page can be tried again. */

import { Component, type ReactNode } from "react";
import { PageTitle } from "../frame.tsx";
import { Trouble } from "./messages.tsx";

interface FaultBoundaryProps {
	/** Another place is another page, which is drawn whatever happened on the one before. */
	readonly place: string;
	readonly children: ReactNode;
}

interface State {
	readonly place: string;
	readonly fault: { readonly thrown: unknown } | null;
}

export class FaultBoundary extends Component<FaultBoundaryProps, State> {
	override state: State = { place: this.props.place, fault: null };

	static getDerivedStateFromError(thrown: unknown): Partial<State> {
		return { fault: { thrown } };
	}

	static getDerivedStateFromProps({ place }: FaultBoundaryProps, state: State): State | null {
		return place === state.place ? null : { place, fault: null };
	}

	override render(): ReactNode {
		const { fault } = this.state;
		if (fault === null) return this.props.children;
		const words = fault.thrown instanceof Error ? fault.thrown.message : String(fault.thrown);
		return (
			<>
				<PageTitle>This page has stopped</PageTitle>
				<Trouble
					problem={{ message: `It cannot be drawn: ${words}`, remedy: "Try again, or go on with another page." }}
					onRetry={() => this.setState({ fault: null })}
				/>
			</>
		);
	}
}
