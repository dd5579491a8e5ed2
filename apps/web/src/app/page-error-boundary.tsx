import { Component, type ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { CenteredPanel } from '../ui/centered-panel.tsx';

/** Shows the error if a component throws, instead of an empty page. */
export class PageErrorBoundary extends Component<{ children: ReactNode }, { error: Error | undefined }> {
  override state: { error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return (
      <CenteredPanel title="This page has failed">
        <p className="text-muted">
          Executor itself is still running. The error: <span className="text-ink">{error.message}</span>
        </p>
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </CenteredPanel>
    );
  }
}
