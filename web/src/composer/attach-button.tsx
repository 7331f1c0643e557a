import { ImagePlus } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../messages/messages.ts';
import { IconButton } from '../ui/button.tsx';

/** Opens the system's own choice of files; on a phone also the camera. */
export function AttachButton({
  disabled,
  onFiles,
}: {
  disabled: boolean;
  onFiles: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <IconButton label={t('images.attach')} disabled={disabled} onClick={() => input.current?.click()}>
        <ImagePlus size={17} aria-hidden="true" />
      </IconButton>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label={t('images.attach')}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // the same file may be chosen again after it was removed
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
