import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { classes } from './classes.ts';

/** A button in the page's one look. `primary` is for the one thing to do, `quiet` for what only helps. */
export function Button({
  look = 'plain',
  className,
  ...button
}: ComponentProps<'button'> & { look?: 'plain' | 'primary' | 'quiet' }) {
  return <button type="button" {...button} className={classes(styles.button, styles[look], className)} />;
}

/** A button that shows only an icon; `label` is its name and its tooltip. */
export function IconButton({
  label,
  className,
  ...button
}: Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & { label: string }) {
  return (
    <Button
      look="quiet"
      {...button}
      aria-label={label}
      title={label}
      className={classes(styles.icon, className)}
    />
  );
}
