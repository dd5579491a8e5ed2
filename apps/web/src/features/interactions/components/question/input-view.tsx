import { JsonView } from '../../../../ui/json-view.tsx';
import { TextBlock } from '../../../../ui/text-block.tsx';

export function InputView({ input }: { input: unknown }) {
  return (
    <TextBlock label="What the code passed">
      <JsonView value={input} />
    </TextBlock>
  );
}
