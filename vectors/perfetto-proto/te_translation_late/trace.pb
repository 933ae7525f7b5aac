
@Pâ	track
@
PZ
HXºraw
@PZHXºother
@P’"

rawshown
@(PZ
HXºraw